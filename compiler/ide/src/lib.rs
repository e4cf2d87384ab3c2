//! Answers to an editor's questions, as plain data in byte offsets.
