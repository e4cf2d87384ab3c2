//! The reference evaluator: values, memory and frames; dialects supply the meaning of their ops.
