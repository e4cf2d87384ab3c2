//! Passes, textual pipelines, the planner, instrumentation and IR dumps.
