include "tegula/Passes.td"
