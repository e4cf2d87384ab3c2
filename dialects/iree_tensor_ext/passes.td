// Passes on the ops that dispatches share.

include "tegula/Passes.td"
