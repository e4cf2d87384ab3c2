//! What becomes of encodings once the layouts of their tensors are chosen, and who chooses.
//!
//! The configuration of a target names a resolver in `iree.encoding.resolver`; where it names none,
//! every tensor lies in row-major order.

use tegula_ir::{Attr, AttrData, DYNAMIC, Registry, Type};

use crate::encoding::{layout_attr, layouts, with_encoding};

/// One kind of attribute that chooses layouts.
pub struct Resolver {
    /// The full name of the attribute.
    pub name: &'static str,
    /// The entries of a target's configuration that it reads.
    pub reads: &'static [&'static str],
    /// The layout of a tensor with an encoding; none where the resolver gives it none.
    pub layout: fn(&Request<'_>) -> Option<Attr>,
}

/// What a resolver is asked for.
pub struct Request<'a> {
    /// The installed definitions.
    pub registry: &'a Registry,
    /// The resolver.
    pub resolver: Attr,
    /// The configuration of the target.
    pub config: Attr,
    /// The tensor, with its encoding.
    pub ty: Type,
    /// Tiles may grow with the vectors of the target.
    pub scalable: bool,
}

/// Where layouts are asked for.
#[derive(Clone, Copy)]
pub struct Asker<'a> {
    /// All resolvers there are.
    pub resolvers: &'a [&'a [Resolver]],
    /// The installed definitions.
    pub registry: &'a Registry,
    /// Tiles may grow with the vectors of targets.
    pub scalable: bool,
}

/// The resolvers of this dialect.
pub const RESOLVERS: &[Resolver] = &[
    Resolver { name: "iree_encoding.identity_resolver", reads: &[], layout: |_| Some(identity()) },
    Resolver { name: "iree_encoding.unsupported_resolver", reads: &[], layout: |_| None },
    Resolver {
        name: "iree_encoding.specialization_resolver",
        reads: &[],
        layout: |request| {
            let seed = *params(request.resolver)?.first()?;
            let plain = Attr::ty(with_encoding(request.ty, None));
            Some(Attr::dialect("iree_encoding.specialized", &[seed, plain]))
        },
    },
];

fn identity() -> Attr {
    Attr::dialect("iree_encoding.identity", &[])
}

fn params(attr: Attr) -> Option<&'static [Attr]> {
    match attr.data() {
        AttrData::Dialect { params, .. } => Some(params),
        _ => None,
    }
}

impl Asker<'_> {
    /// The layouts of a tensor on targets with these configurations, one for each resolver that
    /// reads something else; none where one of them gives it none.
    pub fn layouts_on(&self, configs: &[Attr], ty: Type) -> Option<Vec<Attr>> {
        let &Asker { resolvers, registry, scalable } = self;
        let mut asked = Vec::new();
        let mut layouts = Vec::new();
        for &config in configs {
            let resolver = config.get("iree.encoding.resolver");
            let known = resolver.and_then(|resolver| {
                let AttrData::Dialect { name, .. } = resolver.data() else { return None };
                let all = &mut resolvers.iter().copied().flatten();
                Some((resolver, all.find(|known| known.name == name.as_str())?))
            });
            let key = known.map(|(resolver, known)| {
                let read = known.reads.iter().map(|name| config.get(name));
                (resolver, read.collect::<Vec<Option<Attr>>>())
            });
            if asked.contains(&key) {
                continue;
            }
            asked.push(key);
            layouts.push(match known {
                Some((resolver, known)) => {
                    (known.layout)(&Request { registry, resolver, config, ty, scalable })?
                }
                None => identity(),
            });
        }
        Some(layouts)
    }
}

/// Whether an encoding says, or may come to say, how a tensor lies in memory.
pub fn is_serializable(registry: &Registry, encoding: Attr) -> bool {
    let AttrData::Dialect { name, .. } = encoding.data() else { return false };
    let def = registry.attr(name.as_str()).map(|(_, def)| def);
    def.is_some_and(|def| def.traits.iter().any(|name| name == "SerializableAttr"))
}

/// Whether an encoding that is [serializable](is_serializable) says it already.
pub fn is_serialized(encoding: Attr) -> bool {
    let AttrData::Dialect { name, params } = encoding.data() else { return false };
    let first = params.first().copied();
    match name.as_str() {
        "iree_encoding.encoding" => false,
        "iree_encoding.testing" => first.is_some_and(|layouts| !layouts.is_absent()),
        "iree_encoding.padding" => {
            let sizes = first.and_then(Attr::as_array).unwrap_or(&[]);
            sizes.iter().all(|size| size.as_int() != Some(DYNAMIC))
        }
        "iree_encoding.layout" => {
            layouts(encoding).unwrap_or(&[]).iter().all(|&layout| is_serialized(layout))
        }
        // What resolvers of packed layouts leave.
        name if name.ends_with("_encoding_resolver") => {
            first.is_some_and(|config| config.get("encoding_info").is_some())
        }
        _ => true,
    }
}

/// The encoding once layouts are chosen.
pub fn with_layouts(encoding: Attr, layouts: &[Attr]) -> Attr {
    match encoding.dialect_params("iree_encoding.testing") {
        Some(params) => {
            let rest = params.iter().skip(1).copied();
            let params: Vec<Attr> = std::iter::once(Attr::array(layouts)).chain(rest).collect();
            Attr::dialect("iree_encoding.testing", &params)
        }
        None => layout_attr(layouts),
    }
}
