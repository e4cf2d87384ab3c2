//! Source files, spans, diagnostics and their rendering.
