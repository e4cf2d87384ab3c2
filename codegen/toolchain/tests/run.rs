//! Objects that are assembled, linked and run; and what is said when that cannot be.

use std::ffi::OsString;

use tegula_toolchain::{Buffer, Direction, Host, Search, ToolError, run_entry};

/// Copies 8 bytes from the first buffer to the second through `malloc`.
const COPY: &str = "
	.text
	.globl copy8
copy8:
	stp x29, x30, [sp, #-32]!
	stp x19, x20, [sp, #16]
	mov x19, x0
	mov x20, x1
	mov x0, #65536
	bl malloc
	cbz x0, 1f
	ldr x1, [x19]
	str x1, [x0]
	ldr x1, [x0]
	str x1, [x20]
	bl free
	ldp x19, x20, [sp, #16]
	ldp x29, x30, [sp], #32
	ret
1:	bl abort
	.section .note.GNU-stack,\"\",%progbits
";

const BUFFERS: [Buffer; 2] =
    [Buffer { bytes: 8, direction: Direction::In }, Buffer { bytes: 8, direction: Direction::Out }];

#[test]
fn runs_an_entry() {
    let tools = Search::from_env().toolchain();
    if let Err(error) = tools.can_run() {
        eprintln!("skipped: {error}");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let object = dir.path().join("copy.o");
    tools.assemble(COPY, &object).unwrap();
    let outcome = run_entry(&tools, &object, "copy8", &BUFFERS, &[b"8 bytes!"]).unwrap();
    assert_eq!(outcome.outputs, [b"8 bytes!".to_vec()]);

    // One byte less than is read: the page behind the buffer is not there.
    let short = [Buffer { bytes: 7, direction: Direction::In }, BUFFERS[1]];
    let error = run_entry(&tools, &object, "copy8", &short, &[b"7 bytes"]).unwrap_err();
    assert_eq!(error.code(), "tool-failed");

    let error = run_entry(&tools, &object, "copy8", &BUFFERS, &[b"too many bytes"]).unwrap_err();
    assert_eq!(error.to_string(), "the inputs have [14] bytes, the entry takes [8]");
}

#[test]
fn links_a_shared_library() {
    let tools = Search::from_env().toolchain();
    if tools.assembler.is_err() || tools.linker.is_err() {
        eprintln!("skipped: {:?}", tools.describe());
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (object, library) = (dir.path().join("copy.o"), dir.path().join("libcopy.so"));
    tools.assemble(COPY, &object).unwrap();
    tools.link_shared(&[object], &library).unwrap();
    let bytes = std::fs::read(&library).unwrap();
    // An ELF file for AArch64 (machine 183) of the kind that is loaded (type 3), where that is the
    // format of this machine's linker.
    if bytes.starts_with(b"\x7fELF") {
        assert_eq!((bytes[16], bytes[18]), (3, 183));
    }
    assert!(bytes.windows(5).any(|name| name == b"copy8"));
    let missing = dir.path().join("missing.o");
    let error = tools.link_shared(&[missing], &dir.path().join("other.so")).unwrap_err();
    assert_eq!(error.code(), "tool-failed");
    assert!(!dir.path().join("other.so").exists());
}

#[test]
fn failures_leave_no_file() {
    let tools = Search::from_env().toolchain();
    let dir = tempfile::tempdir().unwrap();
    let object = dir.path().join("bad.o");
    if tools.assembler.is_ok() {
        let error = tools.assemble("\tnonsense x0\n", &object).unwrap_err();
        assert_eq!(error.code(), "tool-failed");
    }
    assert!(!object.exists());
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    let nowhere = dir.path().join("no/such/directory.o");
    if tools.assembler.is_ok() {
        assert_eq!(tools.assemble("", &nowhere).unwrap_err().code(), "file");
    }
}

#[test]
fn says_what_is_missing() {
    let search = Search {
        host: Host::Other,
        path: OsString::new(),
        assembler: None,
        compiler: None,
        emulator: None,
    };
    let tools = search.toolchain();
    let error = tools.assembler.clone().unwrap_err();
    let ToolError::Missing { what, tried, help } = &error else { panic!("{error:?}") };
    assert_eq!(*what, "assembler for AArch64");
    assert_eq!(
        tried.join(" "),
        "$TEGULA_AS $TEGULA_CC aarch64-linux-gnu-gcc aarch64-linux-gnu-as clang llvm-mc"
    );
    assert!(help.contains("apt install binutils-aarch64-linux-gnu qemu-user"), "{help}");
    assert!(tools.can_run().is_err());

    let search = Search { assembler: Some("no-such-program".into()), ..search };
    let error = search.toolchain().assembler.unwrap_err();
    assert_eq!(error.to_string(), "TEGULA_AS is set to `no-such-program`, which is not a program");
}
