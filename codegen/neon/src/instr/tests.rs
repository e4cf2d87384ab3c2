//! Every row against a real assembler.

use std::process::{Command, Stdio};

use super::{InstrRow, InstrTable, Part, RegFile, Slot, View};
use crate::testing::registry;

/// The row's instance as text: results, then operands, in registers counted from 0.
fn instance_text(row: &InstrRow) -> Option<String> {
    let instance = row.instance.as_ref()?;
    let mut next = [0, 0];
    let mut number = |file: RegFile| {
        let at = &mut next[usize::from(file == RegFile::Float)];
        *at += 1;
        *at - 1
    };
    let mut fixed = |slot: &super::RegSlot| {
        slot.file
            .filter(|(file, _)| *file != RegFile::Flags && !slot.variadic)
            .map(|(file, letter)| (letter, number(file)))
    };
    let results: Vec<_> = row.results.iter().map(&mut fixed).collect();
    let operands: Vec<_> = row
        .operands
        .iter()
        .enumerate()
        .map(|(at, slot)| match row.tied.iter().find(|(_, operand)| *operand == at) {
            Some((result, _)) => results[*result],
            None => fixed(slot),
        })
        .collect();
    let register = |slot: Option<(char, i32)>, view: View| {
        let (letter, number) = slot?;
        Some(match view {
            View::Letter(letter) => format!("{letter}{number}"),
            _ => format!("{letter}{number}"),
        })
    };
    let mut text = String::new();
    for part in &row.text {
        match part {
            Part::Text(t) => text.push_str(t),
            Part::Slot(Slot::Operand(at), view) => text.push_str(&register(operands[*at], *view)?),
            Part::Slot(Slot::Result(at), view) => text.push_str(&register(results[*at], *view)?),
            Part::Slot(Slot::Successor(_), _) => text.push('.'),
            Part::Slot(Slot::Attr(_), View::Page) => text.push_str("sym"),
            Part::Slot(Slot::Attr(_), View::Low12) => text.push_str(":lo12:sym"),
            Part::Slot(Slot::Attr(at), _) => {
                let name = row.attrs[*at].name.as_str();
                let value = instance.immediates.iter().find(|(n, _)| n == name);
                text.push_str(value.map_or("sym", |(_, value)| value));
            }
        }
    }
    Some(text)
}

#[test]
fn every_row_has_an_instance() {
    let table = InstrTable::new(&registry()).unwrap();
    assert!(table.rows().len() > 90, "{} rows", table.rows().len());
    for row in table.rows() {
        // Only memory in the frame has no text of its own.
        let expected = row.name != "neon.frame_address";
        assert_eq!(instance_text(row).is_some(), expected, "{}", row.name);
    }
}

/// Assembles all instances at once and compares the bytes. Without the assembler there is nothing
/// to compare; the rows' bytes stay what they were when it last ran.
#[test]
fn rows_encode_as_the_assembler_says() {
    let table = InstrTable::new(&registry()).unwrap();
    let rows: Vec<_> = table.rows().iter().filter_map(|r| Some((r, instance_text(r)?))).collect();
    let source: String = rows.iter().map(|(_, text)| format!("{text}\n")).collect();
    let dir = tempfile::tempdir().unwrap();
    let (object, binary) = (dir.path().join("rows.o"), dir.path().join("rows.bin"));
    let assembler = Command::new("aarch64-linux-gnu-as")
        .args(["-o", &object.display().to_string(), "-"])
        .stdin(Stdio::piped())
        .spawn();
    let Ok(mut assembler) = assembler else {
        eprintln!("skipped: no aarch64-linux-gnu-as");
        return;
    };
    std::io::Write::write_all(&mut assembler.stdin.take().unwrap(), source.as_bytes()).unwrap();
    assert!(assembler.wait().unwrap().success());
    let copied = Command::new("aarch64-linux-gnu-objcopy")
        .args(["-O", "binary", "-j", ".text"])
        .args([&object, &binary])
        .status()
        .unwrap();
    assert!(copied.success());
    let bytes = std::fs::read(&binary).unwrap();
    let mut at = 0;
    for (row, text) in &rows {
        let expected = &row.instance.as_ref().unwrap().bytes;
        assert_eq!(&&bytes[at..at + expected.len()], &expected, "{}: {text}", row.name);
        at += expected.len();
    }
    assert_eq!(at, bytes.len());
}
