// A number without a sign in decimal. Digits are written from the last to the first into room for
// the longest number; what was written of it is the text.
vm.func private @__iree_string_itoa_u64(%value: i64) -> !vm.buffer {
  %zero = vm.const.i64.zero
  %none = vm.const.i32 1
  %one = vm.const.i64 1
  %ten = vm.const.i64 10
  %room = vm.const.i64 20
  %last = vm.const.i64 19
  %digit0 = vm.const.i32 48
  %digits = vm.buffer.alloc %room, %none : !vm.buffer
  %nothing = vm.cmp.eq.i64 %value, %zero : i64
  vm.cond_br %nothing, ^zero, ^next(%value, %last : i64, i64)
^zero:
  vm.buffer.store.i8 %digit0, %digits[%zero] : i32 -> !vm.buffer
  %text0 = vm.buffer.clone %digits, %zero, %one, %none : !vm.buffer -> !vm.buffer
  vm.return %text0 : !vm.buffer
^next(%rest: i64, %at: i64):
  %digit = vm.rem.i64.u %rest, %ten : i64
  %low = vm.trunc.i64.i32 %digit : i64 -> i32
  %char = vm.add.i32 %low, %digit0 : i32
  vm.buffer.store.i8 %char, %digits[%at] : i32 -> !vm.buffer
  %others = vm.div.i64.u %rest, %ten : i64
  %before = vm.sub.i64 %at, %one : i64
  %done = vm.cmp.eq.i64 %others, %zero : i64
  vm.cond_br %done, ^all(%at : i64), ^next(%others, %before : i64, i64)
^all(%first: i64):
  %length = vm.sub.i64 %room, %first : i64
  %text = vm.buffer.clone %digits, %first, %length, %none : !vm.buffer -> !vm.buffer
  vm.return %text : !vm.buffer
}
