//! The regions of an op: what their blocks take, hold and end in.

use tegula_ir::{BlockId, Body, OpId, OpInfo, OpName, Type, ValueId};
use tegula_schema::{Arity, OpDef};

use crate::op::Asked;
use crate::{Maker, stands_in};

/// Regions are nested no deeper.
const DEEPEST: usize = 3;

/// How many ops a region begins with at most.
const MOST: usize = 4;

impl<'r> Maker<'_, 'r> {
    pub(crate) fn region_count(&mut self, info: &OpInfo) -> usize {
        let regions = info.def().regions.iter();
        regions
            .map(|region| match region.arity {
                Arity::One => 1,
                Arity::Optional => self.random.below(2),
                Arity::Variadic => self.random.below(3),
            })
            .sum()
    }

    /// Fills the regions of an op; none when that cannot be done.
    pub(crate) fn regions(&mut self, op: OpId, info: &'r OpInfo, depth: usize) -> Option<()> {
        let def = info.def();
        let regions = self.body.regions(op).to_vec();
        if regions.is_empty() {
            return Some(());
        }
        if depth >= DEEPEST {
            return None;
        }
        for (at, region) in regions.into_iter().enumerate() {
            // What more regions there are than groups belongs to the last of them.
            let group = at.min(def.regions.len() - 1);
            let name = def.regions[group].name.to_string();
            if !def.regions[group].non_empty && self.random.one_in(3) {
                continue;
            }
            let block = self.body.append_block(region);
            for ty in self.taken(op, def, &name) {
                self.body.add_block_arg(block, ty);
            }
            let ends = !def.has_trait("NoTerminator") && !def.has_trait("GraphRegionNoTerminator");
            if ends {
                self.open(block);
            }
            for _ in 0..self.random.below(MOST + 1) {
                if self.left > 0 {
                    self.any(block, depth + 1);
                }
            }
            if ends {
                self.end(op, info, &name, block, depth)?;
            }
        }
        Some(())
    }

    /// The types of what a region takes.
    fn taken(&mut self, op: OpId, def: &OpDef, region: &str) -> Vec<Type> {
        if def.has_trait("NoRegionArguments") {
            return Vec::new();
        }
        let (registry, body) = (self.registry, &self.body);
        let operands: Vec<Type> = body.operands(op).map(|value| body.ty(value)).collect();
        let passed = passing(def).filter(|(_, to)| *to == region).find_map(|(from, _)| {
            let known = def.operand_index(from).is_some();
            known.then(|| types(body, &registry.operands_of(body, op, from)))
        });
        // Without an operand group, what comes here goes on to the results as well.
        let shared = passing(def)
            .any(|(_, to)| to == region)
            .then(|| body.results(op).map(|value| body.ty(value)).collect::<Vec<_>>());
        if let Some(passed) = passed.or(shared) {
            let counter = operands.first().copied().filter(|_| operands.len() > passed.len());
            return counter.into_iter().chain(passed).collect();
        }
        match self.random.below(4) {
            0 => operands,
            1 => operands.into_iter().map(Type::element_or_self).collect(),
            _ => Vec::new(),
        }
    }

    /// Ends the only block of a region.
    fn end(
        &mut self,
        op: OpId,
        info: &'r OpInfo,
        region: &str,
        block: BlockId,
        depth: usize,
    ) -> Option<OpId> {
        let ends = self.ends(info);
        for _ in 0..4 {
            let end = *self.random.choose(&ends)?;
            let types = self.given_back(op, info.def(), region);
            let values: Option<Vec<ValueId>> =
                types.into_iter().map(|ty| self.value(ty, block, depth + 1)).collect();
            let asked = Asked { passes: Some(values?), ..Asked::default() };
            if let Some(made) = self.make(end, block, &asked, depth + 1) {
                return Some(made);
            }
        }
        None
    }

    /// The ops that may end a block of an op.
    fn ends(&self, info: &OpInfo) -> Vec<&'r OpInfo> {
        let def = info.def();
        let implicit = def.traits.iter().find(|t| t.name == "SingleBlockImplicitTerminator");
        if let Some(name) = implicit.and_then(|t| t.args.first()) {
            return self.registry.op(OpName::of(name)).into_iter().collect();
        }
        let home = info.dialect().def.ops.iter();
        let home = home.filter_map(|def| self.registry.op(OpName::of(&def.name)));
        home.filter(|end| {
            end.terminator && end.def().successors.is_empty() && stands_in(end, &def.name)
        })
        .collect()
    }

    /// The types of what a region gives.
    fn given_back(&self, op: OpId, def: &OpDef, region: &str) -> Vec<Type> {
        let (registry, body) = (self.registry, &self.body);
        let results: Vec<Type> = body.results(op).map(|value| body.ty(value)).collect();
        let targets: Vec<&str> =
            passing(def).filter(|(from, _)| *from == region).map(|(_, to)| to).collect();
        if targets.iter().any(|to| def.result_index(to).is_some()) {
            return results;
        }
        // What another region takes is what operands give it at first.
        let first = targets.iter().find_map(|target| {
            passing(def).filter(|(_, to)| to == target).find_map(|(from, _)| {
                let known = def.operand_index(from).is_some();
                known.then(|| types(body, &registry.operands_of(body, op, from)))
            })
        });
        first.unwrap_or(results)
    }
}

/// From where an op passes values to where, by the names of operands, regions and results.
fn passing(def: &OpDef) -> impl Iterator<Item = (&str, &str)> {
    def.traits.iter().filter(|t| t.name == "PassesValues").filter_map(|t| match t.args.as_ref() {
        [from, to] => Some((from.as_ref(), to.as_ref())),
        _ => None,
    })
}

fn types(body: &Body, values: &[ValueId]) -> Vec<Type> {
    values.iter().map(|&value| body.ty(value)).collect()
}
