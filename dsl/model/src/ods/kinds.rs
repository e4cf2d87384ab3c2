//! C++ classes of types and attributes as kinds.

use std::borrow::Cow;

use tegula_record::Record;
use tegula_schema::{Pred, Str};

use super::cpp::last;
use crate::cx::{Cx, Get};

fn types(names: &[&'static str]) -> Pred {
    super::or(names.iter().map(|name| Pred::TypeKind(Cow::Borrowed(name))).collect())
}

impl<'a> Cx<'a> {
    /// What `isa<class>` requires; none for classes that are neither builtin nor defined.
    pub(super) fn kind(&self, class: &str) -> Option<Pred> {
        let name = last(class);
        let defined = self.defined_class(class);
        match defined {
            Some(def) if def.isa("TypeDef") && !super::is_builtin(self, def) => {
                return Some(Pred::TypeKind(Cow::Owned(self.full_name(def)?)));
            }
            Some(def) if def.isa("AttrDef") && !super::is_builtin(self, def) => {
                return Some(Pred::AttrKind(Cow::Owned(self.full_name(def)?)));
            }
            Some(def) if def.isa("EnumAttrInfo") => {
                return Some(Pred::EnumCase(def.str("className")));
            }
            _ => {}
        }
        builtin_type(name).or_else(|| builtin_attr(name)).or_else(|| self.conventional(class))
    }

    /// A type of a dialect that has a namespace here, but not the definition of the type: such are
    /// named after their class.
    fn conventional(&self, class: &str) -> Option<Pred> {
        let name = last(class);
        let stem = name.strip_suffix("Type")?;
        let namespace = class.strip_suffix(name)?.trim_end_matches("::");
        let records = self.records;
        let interface =
            |record: &std::sync::Arc<Record>| record.text("cppInterfaceName") == Some(name);
        if namespace.is_empty() || records.derived("TypeInterface").any(interface) {
            return None;
        }
        let dialect = records.derived("Dialect").find(|dialect| {
            dialect.text("cppNamespace").is_some_and(|n| {
                let full = n.trim_start_matches("::");
                full == namespace || full.ends_with(&format!("::{namespace}"))
            })
        })?;
        let kind = format!("{}.{}", dialect.text("name")?, super::snake(stem));
        Some(Pred::TypeKind(Cow::Owned(kind)))
    }

    /// The enum of which a C++ class is the attribute.
    pub(crate) fn enum_of_class(&self, class: &str) -> Option<Str> {
        let def = self.defined_class(class)?;
        def.isa("EnumAttrInfo").then(|| def.str("className"))
    }

    /// The record of a class of types, attributes or enums.
    pub(super) fn defined_class(&self, class: &str) -> Option<&'a Record> {
        let name = last(class);
        let records = self.records;
        let of_class = |field: &'static str| {
            move |record: &&'a std::sync::Arc<Record>| record.text(field) == Some(name)
        };
        let defs = records.derived("AttrOrTypeDef").filter(of_class("cppClassName"));
        let enums = records.derived("EnumAttrInfo").filter(of_class("specializedAttrClassName"));
        let found: Vec<&'a Record> = defs.chain(enums).map(|record| &**record).collect();
        // Dialects have classes of one name; the namespace tells them apart.
        let class = class.trim_start_matches("::");
        found.into_iter().find(|record| {
            let namespace = match self.field_def(record, "dialect") {
                Some(dialect) => dialect.text("cppNamespace"),
                None => record.text("cppNamespace"),
            };
            let full = format!("{}::{name}", namespace.unwrap_or_default());
            let full = full.trim_start_matches("::");
            full == class
                || full.ends_with(&format!("::{class}"))
                || class.ends_with(&format!("::{full}"))
        })
    }
}

fn builtin_type(class: &str) -> Option<Pred> {
    Some(match class {
        "Type" => Pred::Any,
        "IndexType" => types(&["index"]),
        "IntegerType" => Pred::Integer { width: 0, sign: None },
        "FloatType" => Pred::Float { width: 0 },
        "NoneType" => types(&["none"]),
        "FunctionType" => types(&["function"]),
        "TupleType" => types(&["tuple"]),
        "ComplexType" => types(&["complex"]),
        "TokenType" => types(&["token"]),
        "VectorType" => types(&["vector"]),
        "RankedTensorType" => types(&["tensor"]),
        "UnrankedTensorType" => types(&["unranked_tensor"]),
        "TensorType" => types(&["tensor", "unranked_tensor"]),
        "MemRefType" => types(&["memref"]),
        "UnrankedMemRefType" => types(&["unranked_memref"]),
        "BaseMemRefType" => types(&["memref", "unranked_memref"]),
        "ShapedType" => {
            types(&["tensor", "unranked_tensor", "vector", "memref", "unranked_memref"])
        }
        _ => Pred::TypeText(Cow::Owned(float_text(class)?)),
    })
}

/// The text of a float type by its class: `Float8E4M3FNType`, `BFloat16Type`, `FloatTF32Type`.
pub(super) fn float_text(class: &str) -> Option<String> {
    let stem = class.strip_suffix("Type")?;
    if stem == "BFloat16" {
        return Some("bf16".to_owned());
    }
    let rest = stem.strip_prefix("Float")?;
    match rest.chars().next()? {
        '0'..='9' => Some(format!("f{rest}")),
        _ if rest == "TF32" => Some("tf32".to_owned()),
        _ => None,
    }
}

/// The element type of a dense array by its attribute's class: `DenseI64ArrayAttr`.
pub(super) fn dense_array(class: &str) -> Option<&'static str> {
    Some(match class.strip_prefix("Dense")?.strip_suffix("ArrayAttr")? {
        "Bool" => "i1",
        "I8" => "i8",
        "I16" => "i16",
        "I32" => "i32",
        "I64" => "i64",
        "F32" => "f32",
        "F64" => "f64",
        _ => return None,
    })
}

fn builtin_attr(class: &str) -> Option<Pred> {
    let dense_of = |elements: Pred| {
        let elements = Pred::ElementType(Cow::Owned(vec![elements]));
        let ty = Pred::AttrType(Cow::Owned(vec![elements]));
        super::and(vec![Pred::AttrKind("dense_elements".into()), ty])
    };
    let kind = match class {
        "Attribute" => return Some(Pred::Any),
        "TypedAttr" => return Some(Pred::AttrType(Cow::Borrowed(&[Pred::Any]))),
        "DenseIntElementsAttr" => {
            let integer = Pred::Integer { width: 0, sign: None };
            return Some(dense_of(super::or(vec![integer, types(&["index"])])));
        }
        "DenseFPElementsAttr" => return Some(dense_of(Pred::Float { width: 0 })),
        "StringAttr" => "string",
        "IntegerAttr" => "integer",
        "FloatAttr" => "float",
        "BoolAttr" => "bool",
        "UnitAttr" => "unit",
        "DictionaryAttr" => "dictionary",
        "ArrayAttr" => "array",
        "TypeAttr" => "type",
        "SymbolRefAttr" => "symbol_ref",
        "FlatSymbolRefAttr" => "flat_symbol_ref",
        "AffineMapAttr" => "affine_map",
        "IntegerSetAttr" => "integer_set",
        "ElementsAttr" => "elements",
        "DenseElementsAttr" | "DenseIntOrFPElementsAttr" => "dense_elements",
        "DenseArrayAttr" => "dense_array",
        "LocationAttr" => "location",
        _ => return Some(Pred::DenseArrayOf(dense_array(class)?.into())),
    };
    Some(Pred::AttrKind(kind.into()))
}
