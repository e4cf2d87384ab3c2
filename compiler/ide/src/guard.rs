//! Where the unwinding of questions ends.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tegula_db::cancellable;

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interrupted {
    /// The text changes; ask again.
    Cancelled,
    /// A bug; what the panic said.
    Panicked(String),
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Interrupted::Cancelled => f.write_str("the text has changed meanwhile"),
            Interrupted::Panicked(said) => write!(f, "internal error: {said}"),
        }
    }
}

/// Asks a question, so that a bug in the answer costs that answer only.
pub fn guarded<T>(ask: impl FnOnce() -> T) -> Result<T, Interrupted> {
    // Questions read only; a write that panics makes its caller drop the file.
    match catch_unwind(AssertUnwindSafe(|| cancellable(ask))) {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(_)) => Err(Interrupted::Cancelled),
        Err(payload) => {
            let said = (payload.downcast_ref::<&str>().map(|s| (*s).to_owned()))
                .or_else(|| payload.downcast_ref::<String>().cloned());
            Err(Interrupted::Panicked(said.unwrap_or_else(|| "a panic without words".into())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Interrupted, guarded};

    #[test]
    fn a_panic_is_an_answer() {
        let number = 7;
        let failed = guarded(|| {
            assert_eq!(number, 8, "seven");
        });
        match failed {
            Err(Interrupted::Panicked(said)) => assert!(said.contains("seven"), "{said}"),
            other => panic!("{other:?}"),
        }
        assert_eq!(guarded(|| number), Ok(7));
    }
}
