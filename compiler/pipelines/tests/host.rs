//! Host-side dialects: their text comes back byte for byte, and their canonicalizations and
//! conversions do what the snapshots say.
//!
//! The first line of a fixture is `// pipeline: …`, which may be empty. The snapshot of the same
//! path is the module after the pipeline, or what went wrong.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use tegula_diag::{Renderer, Sources};
use tegula_ir::Registry;
use tegula_ir::text::{PrintOptions, parse_module, print_module};
use tegula_ir::verify::verify_body;
use tegula_pass::{Env, NoInstrument, PassTable, Plan, Settings, run_pipeline};
use tegula_pipelines::dialects;
use tegula_rewrite::Patterns;

fn root() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    path.canonicalize().expect("the root of the workspace")
}

fn parse(registry: &Registry, text: &str) -> tegula_ir::Module {
    let mut sources = Sources::default();
    let source = sources.add("input.mlir", text);
    let (module, _, diagnostics) = parse_module(registry, source, text);
    assert!(diagnostics.is_empty(), "{}", Renderer::plain(&sources).render_all(&diagnostics));
    for body in &module.bodies {
        assert_eq!(verify_body(registry, body), []);
    }
    module
}

/// What passes rely on and fixtures bring along.
const FACTS: &[&str] = &[
    "commands",
    "devices",
    "executables",
    "execution-regions",
    "layouts",
    "lifetimes",
    "packed-operands",
    "resources",
];

fn run(registry: &Registry, patterns: &Patterns, text: &str) -> String {
    let pipeline = text.lines().next().and_then(|line| line.strip_prefix("// pipeline:"));
    let pipeline = pipeline.expect("the first line names the pipeline").trim();
    let module = parse(registry, text);
    let mut out = String::new();
    let table = PassTable::new(registry, dialects::passes());
    let plan = Plan::new(&table, &format!("builtin.module({pipeline})"), FACTS);
    let plan = plan.expect("a pipeline");
    let env = Env {
        registry,
        patterns,
        settings: &Settings::default(),
        poll: &|| (),
        verify: None,
        until: None,
    };
    let run = run_pipeline(env, &plan, module, &mut NoInstrument);
    for report in &run.reports {
        let _ = writeln!(out, "{}[{}]: {}", report.severity.as_str(), report.code, report.message);
        for (_, note) in &report.notes {
            // Where a pattern stands changes with every edit.
            let note = note.split_once("): ").map_or(note.as_str(), |(_, why)| why);
            let _ = writeln!(out, "  {note}");
        }
    }
    for body in &run.value.bodies {
        assert_eq!(verify_body(registry, body), []);
    }
    let printed = print_module(registry, &run.value, &PrintOptions::default());
    let again = print_module(registry, &parse(registry, &printed), &PrintOptions::default());
    assert_eq!(printed, again, "the text comes back");
    out + &printed
}

fn check(dialect: &str, names: &[&str]) {
    let registry = dialects::registry();
    let patterns = Patterns::new(&registry, dialects::rewrites());
    assert_eq!(patterns.errors(), []);
    for name in names {
        let path = root().join("tests/fixtures/dialects").join(dialect).join(name);
        let text = std::fs::read_to_string(path.with_extension("mlir")).expect("the fixture");
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(root().join("snapshots/dialects").join(dialect));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let printed = run(&registry, &patterns, &text);
        settings.bind(|| insta::assert_snapshot!(*name, printed));
    }
}

#[test]
fn util() {
    check(
        "util",
        &[
            "ops",
            "canonicalize",
            "canonicalize_structure",
            "fold_globals",
            "fuse_globals",
            "simplify_global_accesses",
            "apply_patterns",
            "propagate_subranges",
            "out_of_range",
            "ipo",
            "combine_initializers",
            "initialization_order",
            "initialization_order_call",
            "control_flow",
            "collapse_dimensions",
        ],
    );
}

#[test]
fn llvm() {
    check("llvm", &["canonicalize", "cse"]);
}

#[test]
fn stream() {
    check(
        "stream",
        &[
            "overlapping_captures",
            "ops",
            "canonicalize_async",
            "canonicalize_cmd",
            "canonicalize_places",
            "canonicalize_resource",
            "canonicalize_tensor",
            "canonicalize_timepoint",
            "conversion_border",
            "conversion_flow",
            "conversion_outside",
            "conversion_structure",
            "encode_host_layouts",
            "encode_host_tensors",
            "fold_uniform_operands",
            "fuse_dispatch_bindings",
            "schedule_concurrency",
            "resource_config",
            "elide_timepoints",
            "elide_timepoints_fences",
            "layout_slices",
            "pack_dispatch_operands",
            "pack_dispatch_operands_widths",
            "allocate_in_place",
            "elide_async_copies",
            "elide_async_copies_topology",
            "materialize_copy_on_write",
            "propagate_timepoints",
            "refine_usage",
            "schedule_allocation",
            "schedule_execution",
            "specialize_encodings",
        ],
    );
}

#[test]
fn flow() {
    check("flow", &["ops", "canonicalize_dispatch", "canonicalize_tensor"]);
}

#[test]
fn iree_tensor_ext() {
    check("iree_tensor_ext", &["ops", "canonicalize"]);
}

#[test]
fn hal() {
    check(
        "hal",
        &[
            "canonicalize",
            "ops_executable",
            "conversion_commands",
            "conversion_memory",
            "conversion_no_entry",
            "elide_redundant_commands",
            "initialize_devices",
            "inline_memoize_regions",
            "materialize_sources",
            "prune_executables",
            "resolve_device_promises",
            "resolve_device_promises_unknown",
            "resolve_export_ordinals",
            "verify_devices",
            "link_executables",
            "link_executables_conflict",
            "materialize_resource_caches",
            "materialize_resource_caches_unknown",
            "memoize_device_queries",
            "outline_memoize_regions",
            "outline_memoize_regions_unknown",
            "resolve_topology_queries",
            "to_vm",
            "to_vm_refused",
        ],
    );
}

#[test]
fn hal_inline() {
    check(
        "hal_inline",
        &[
            "ops",
            "canonicalize",
            "from_stream",
            "from_hal",
            "timepoints",
            "executables",
            "several_variants",
            "other_target",
            "objects",
            "static",
            "static_matmul",
            "out_of_range",
            "encodings",
            "encodings_out",
            "to_vm",
        ],
    );
}

#[test]
fn hal_loader() {
    check(
        "hal_loader",
        &[
            "ops",
            "canonicalize",
            "from_stream",
            "workload",
            "executables",
            "not_serialized",
            "not_serializable",
            "export_ordinals",
            "no_export",
            "to_vm",
        ],
    );
}

#[test]
fn vmvx() {
    check("vmvx", &["conversion", "not_flat", "signature"]);
}

#[test]
fn vm() {
    check(
        "vm",
        &[
            "ops",
            "canonicalize",
            "canonicalize_control",
            "numbers",
            "host",
            "text",
            "shared",
            "refused",
            "rodata",
            "initialization",
            "yieldable_calls",
            "sink_defining_ops",
        ],
    );
}
