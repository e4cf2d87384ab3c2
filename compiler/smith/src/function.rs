//! Functions.

use tegula_ir::{Attr, BlockId, InsertPoint, NewOp, OpId, OpInfo, OpName, Type, ValueId};

use crate::op::Asked;
use crate::types::SCALARS;
use crate::{Known, Maker, ends_of};

/// How many arguments a function has at most, and how many results.
const MOST: usize = 5;

impl<'r> Maker<'_, 'r> {
    /// Makes a function at the top of the body.
    pub(crate) fn function(&mut self, info: &'r OpInfo) -> Option<OpId> {
        let def = info.def();
        let mut new = NewOp::new(OpName::of(&def.name)).regions(1);
        let inputs = self.inputs();
        let ty = Type::function(&inputs, &[]);
        for attr in def.attrs.iter().filter(|attr| !attr.optional && attr.default.is_none()) {
            let value = match attr.name.as_ref() {
                "function_type" => Attr::ty(ty),
                _ => self.attr(info, attr, None)?,
            };
            new = new.attr(&attr.name, value);
        }
        let op = self.body.insert(InsertPoint::End(self.body.top_block()), new);
        let entry = self.body.append_block(self.body.regions(op)[0]);
        for &ty in &inputs {
            self.body.add_block_arg(entry, ty);
        }
        let last = self.branching(op, entry)?;
        let results = self.finish(op, info, last)?;
        if def.attr_index("function_type").is_some() {
            let ty = Type::function(&inputs, &results);
            self.body.set_attr(op, "function_type", Attr::ty(ty));
        }
        let name = self.body.symbol_name(op).map(str::to_owned);
        let complete = self.verifies(op);
        self.symbols.extend(name.filter(|_| complete).map(|name| Known {
            name,
            signature: Some((inputs, results)),
            dialect: info.dialect().def.name.to_string(),
        }));
        Some(op)
    }

    /// What a function takes: several values of few types, so that ops find two of one type that
    /// differ.
    fn inputs(&mut self) -> Vec<Type> {
        let types = &self.smith.types.all;
        let few: Vec<Type> = (0..2)
            .filter_map(|at| {
                let scalars = types.len().min(SCALARS);
                let from = if at == 0 { &types[..scalars] } else { types };
                self.random.choose(from).copied()
            })
            .collect();
        let count = self.random.below(MOST + 1);
        (0..count).filter_map(|_| self.random.choose(&few).copied()).collect()
    }

    /// Makes the op that ends a function, and gives the types of what it returns: values that
    /// nothing uses, so that little of the function is without use.
    fn finish(&mut self, op: OpId, info: &'r OpInfo, block: BlockId) -> Option<Vec<Type>> {
        let ends: Vec<&'r OpInfo> = ends_of(self.registry, info).collect();
        let end = *self.random.choose(&ends)?;
        let mut values: Vec<ValueId> = self.visible(block);
        values.retain(|&value| self.body.is_unused(value));
        while values.len() > MOST {
            let out = self.random.below(values.len());
            values.remove(out);
        }
        loop {
            let types: Vec<Type> = values.iter().map(|&value| self.body.ty(value)).collect();
            let inputs = self.body.attr(op, "function_type").and_then(Attr::as_type);
            if let Some((inputs, _)) = inputs.and_then(Type::as_function) {
                let ty = Type::function(inputs, &types);
                self.body.set_attr(op, "function_type", Attr::ty(ty));
            }
            let asked = Asked { passes: Some(values.clone()), ..Asked::default() };
            if self.make(end, block, &asked, 0).is_some() {
                return Some(types);
            }
            values.pop()?;
        }
    }
}
