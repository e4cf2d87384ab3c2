//! Random modules that verify, from nothing but the definitions of ops.
//!
//! Purpose: programs to hold the parser, the printer, the verifier and passes against. Operands,
//! types, attributes, regions and the ends of blocks follow from what definitions say; where a hook
//! decides, what it refuses is drawn anew, a bounded number of times. The same seed and definitions
//! give the same module on every machine. Non-goals: programs that look as if people wrote them;
//! whether they may be evaluated.

#![warn(missing_docs)]

mod attrs;
mod branches;
mod function;
mod op;
mod random;
mod regions;
mod rules;
mod types;
mod values;

pub use random::Random;

use tegula_ir::text::SourceMap;
use tegula_ir::verify::{verify_body, verify_module};
use tegula_ir::{Body, Module, OpId, OpInfo, OpName, Registry, Type};

use crate::types::Pool;

/// What modules are made of.
#[derive(Clone, Debug)]
pub struct Options {
    /// The dialects whose ops are taken.
    pub dialects: Vec<String>,
    /// Ops of these dialects that are not taken, by name.
    pub except: Vec<String>,
    /// How many ops there are in a module, more or less.
    pub ops: usize,
    /// Whether attributes are set that need not be: flags of floating-point ops and the like.
    pub optional_attrs: bool,
}

/// Makes modules.
pub struct Smith<'r> {
    registry: &'r Registry,
    options: Options,
    ops: Vec<&'r OpInfo>,
    /// Functions and whatever else stands in modules.
    tops: Vec<&'r OpInfo>,
    types: Pool,
}

/// How often a module is begun anew before there is none.
const TRIES: u64 = 20;

impl<'r> Smith<'r> {
    /// A maker of modules; the name of a dialect that there is not, otherwise.
    pub fn new(registry: &'r Registry, options: Options) -> Result<Smith<'r>, String> {
        let mut ops = Vec::new();
        for name in &options.dialects {
            let dialect = registry.dialect(name).ok_or_else(|| name.clone())?;
            ops.extend(dialect.def.ops.iter().filter_map(|def| registry.op(OpName::of(&def.name))));
        }
        ops.retain(|info: &&OpInfo| !options.except.iter().any(|name| *name == info.def().name));
        let mut tops: Vec<&OpInfo> = ops.iter().copied().filter(|info| is_top(info)).collect();
        if !tops.iter().any(|info| is_function(info)) {
            let all = registry.dialects().flat_map(|dialect| dialect.def.ops.iter());
            let infos = all.filter_map(|def| registry.op(OpName::of(&def.name)));
            let mut functions = infos.filter(|info| is_top(info) && is_function(info));
            let plain = functions.find(|info| ends_of(registry, info).next().is_some());
            tops.extend(plain);
        }
        let types = Pool::new(registry, &options.dialects, &ops);
        Ok(Smith { registry, options, ops, tops, types })
    }

    /// The module of a seed; none when whatever is drawn is refused.
    pub fn module(&self, seed: u64) -> Option<Module> {
        (0..TRIES).find_map(|attempt| {
            let random = Random::new(seed ^ attempt.wrapping_mul(0xd6e8_feb8_6659_fd93));
            let module = self.draw(random);
            let found = verify_module(self.registry, &module, &SourceMap::new());
            (found.is_empty() && !module.bodies.is_empty()).then_some(module)
        })
    }

    fn draw(&self, random: Random) -> Module {
        let mut maker = Maker {
            smith: self,
            registry: self.registry,
            random,
            body: Body::new(),
            symbols: Vec::new(),
            left: 0,
            names: 0,
        };
        let mut module = Module::default();
        let functions = 1 + self.options.ops / 40;
        for _ in 0..functions {
            maker.left = self.options.ops.div_ceil(functions);
            let Some(&info) = maker.random.choose(&self.tops) else { break };
            let made = if is_function(info) {
                maker.function(info)
            } else {
                let block = maker.body.top_block();
                maker.make(info, block, &Default::default(), 0)
            };
            let body = std::mem::take(&mut maker.body);
            if made.is_some()
                && body.root().is_some()
                && verify_body(self.registry, &body).is_empty()
            {
                module.bodies.push(body);
            }
        }
        module
    }
}

/// What a symbol is that was made already.
struct Known {
    name: String,
    /// What calls of it take and give, where it is a function.
    signature: Option<(Vec<Type>, Vec<Type>)>,
    dialect: String,
}

/// A module in the making.
struct Maker<'s, 'r> {
    smith: &'s Smith<'r>,
    registry: &'r Registry,
    random: Random,
    body: Body,
    symbols: Vec<Known>,
    /// How many ops may still be made, more or less.
    left: usize,
    names: usize,
}

impl Maker<'_, '_> {
    /// Whether nothing is wrong with an op or what is in it.
    fn verifies(&self, op: OpId) -> bool {
        let errors = verify_body(self.registry, &self.body);
        errors.iter().all(|error| !self.body.is_ancestor(op, error.op))
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("s{}", self.names - 1)
    }
}

/// Whether the op may stand in a module.
fn is_top(info: &OpInfo) -> bool {
    stands_in(info, "builtin.module") && (info.symbol || is_function(info))
}

fn is_function(info: &OpInfo) -> bool {
    info.def().has_trait("FunctionOpInterface")
}

/// Whether the op may stand in an op of that name.
fn stands_in(info: &OpInfo, parent: &str) -> bool {
    let mut traits = info.def().traits.iter();
    traits.all(|t| {
        !matches!(t.name.as_ref(), "HasParent" | "ParentOneOf")
            || t.args.iter().any(|a| a == parent)
    })
}

/// The ops that end functions of this kind.
fn ends_of<'r>(registry: &'r Registry, function: &'r OpInfo) -> impl Iterator<Item = &'r OpInfo> {
    let ops = function.dialect().def.ops.iter();
    ops.filter_map(|def| registry.op(OpName::of(&def.name))).filter(|info| {
        info.terminator
            && info.def().has_trait("FunctionReturn")
            && stands_in(info, &function.def().name)
    })
}
