// From `stream`: device code is loaded and called; all else is done as in `hal_inline`.

def HALLoader_ConvertDispatch
    : ConversionPattern<"stream-to-hal-loader",
        (Stream_CmdDispatchOp:$dispatch $counts, ?, $uniforms, $resources, ?, $offsets, $lengths,
                                        ?),
        [(HALLoader_ExecutableLookupOp:$executable (symbol $loaded)),
         (bind (map (each $r, $resources), (HALInline_Storage $r)):$buffers),
         (HALLoader_ExecutableLookupFunctionOp:$function $executable, $entry),
         (HALLoader_ExecutableDispatchOp
            $executable, $function, (item $counts, 0), (item $counts, 1), (item $counts, 2),
            $uniforms, $buffers, $offsets, $lengths),
         (erase)],
        [(matches (attrOf $dispatch, "hal_loader.entry_point"), (symbol $loaded, (rest)):$entry)]>;
