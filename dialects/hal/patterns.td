// Canonicalizations of `hal` ops, and those that know both `hal` and `stream`.

include "tegula/Patterns.td"

//===-- The border of the program -----------------------------------------------------------------

// What an import waits for, takes over or cuts out would be lost.
def TensorExportOfTensorImport
    : Fold<(HAL_TensorExportOp:$export
              (HAL_TensorImportOp $view, $encoding, ?, (absent), (absent), (absent), ?, ?),
              $encoding, ?, ?, ?),
           [(fold $view)], [(same (typeOf $view), (typeOf $export))]>;
def TensorImportOfTensorExport
    : Fold<(HAL_TensorImportOp:$import
              (HAL_TensorExportOp $tensor, $encoding, ?, ?, ?),
              $encoding, ?, (absent), (absent), (absent), ?, ?),
           [(fold $tensor)], [(same (typeOf $tensor), (typeOf $import))]>;

//===-- Fences ------------------------------------------------------------------------------------

// A fence that only says when another one is reached is that one.
def ChainOfImportedFence
    : Pattern<"canonicalize",
              (Stream_TimepointChainExternalOp
                 (Stream_TimepointImportOp (values (typed $fence, HAL_Fence)), ?),
                 (values (HAL_FenceCreateOp:$chained ?, ?)), ?),
              [(replaceOp $chained, $fence), (erase)]>;

//===-- Command buffers ---------------------------------------------------------------------------

def DeviceOfCreatedCommandBuffer
    : Pattern<"canonicalize",
              (HAL_CommandBufferDeviceOp (HAL_CommandBufferCreateOp $device, (rest))),
              [(replace $device)]>;
