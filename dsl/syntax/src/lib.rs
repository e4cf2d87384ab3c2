//! The `.td` grammar: text to owned syntax trees.
