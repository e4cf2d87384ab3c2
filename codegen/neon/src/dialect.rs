//! The dialect's tables, generated from `neon.td`, and its hooks.

use crate::condition::inverse_condition;
use tegula_ir::{Body, DialectEntry, OpId, Registry};

mod generated {
    include!(concat!(env!("OUT_DIR"), "/neon.rs"));
}

struct NeonHooks;

impl generated::Hooks for NeonHooks {
    fn verify_instruction(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        let Some(info) = registry.op(body.name(op)) else { return Ok(()) };
        for multiple in info.def().traits.iter().filter(|t| t.name == "MultipleOf") {
            let [name, unit] = &*multiple.args else { continue };
            let value = body.attr(op, name).and_then(|attr| attr.as_int()).unwrap_or(0);
            let unit: i64 = unit.parse().unwrap_or(1);
            if value % unit.max(1) != 0 {
                return Err(format!("'{name}' must be a multiple of {unit}"));
            }
        }
        let condition = body.attr(op, "cond").and_then(|attr| attr.as_str());
        if let Some(condition) = condition
            && inverse_condition(condition).is_none()
        {
            return Err(format!("'{condition}' is not a condition"));
        }
        Ok(())
    }
}

/// The dialect as it is installed.
pub fn entry() -> DialectEntry {
    generated::entry::<NeonHooks>()
}
