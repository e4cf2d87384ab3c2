//! Everything that can happen to the server.

use std::path::PathBuf;

use lsp_server::{Message, RequestId};
use tegula_ide::{Finding, Interrupted, VirtualDoc, VirtualError};

/// One thing that happened; the loop handles them in order of arrival.
pub(crate) enum Event {
    /// The client sent a message.
    Client(Message),
    /// The client is gone.
    Closed,
    /// A document was checked, or the first part of that is done.
    Checked {
        /// The document.
        path: PathBuf,
        /// Which state of it.
        revision: u64,
        /// What was found.
        found: Result<Vec<Finding>, Interrupted>,
        /// Nothing more comes of this check.
        last: bool,
    },
    /// A virtual document was made.
    Made {
        /// The request that asked for it.
        id: RequestId,
        /// The document that it is made from.
        path: PathBuf,
        /// Which one.
        document: VirtualDoc,
        /// Its text.
        made: Result<Result<String, VirtualError>, Interrupted>,
    },
}
