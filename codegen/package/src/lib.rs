//! Packaging of compiled code: objects and C headers.
