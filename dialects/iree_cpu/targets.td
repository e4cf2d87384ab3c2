include "tegula/Target.td"
