//! Module files as text, read by nothing but the layout of the file and the definitions of ops.

use std::collections::BTreeMap;
use std::fmt::Write;

use tegula_ir::Registry;
use tegula_schema::OpDef;

/// The text of a file.
pub fn listing(registry: &Registry, file: &[u8]) -> String {
    let module = Reader(&file[4..]).root();
    let behind = (4 + u32_at(file, 0) as usize).next_multiple_of(64);
    let mut out = String::new();
    let version = module.number(13);
    let _ = writeln!(
        out,
        "{} {} version {}, code {}.{}, requires {:#x}",
        String::from_utf8_lossy(&file[8..12]),
        module.text(0),
        module.number(1),
        version >> 16,
        version & 0xffff,
        module.number(2),
    );
    attrs(&mut out, &module, 3);
    for (number, ty) in module.tables(4).iter().enumerate() {
        let _ = writeln!(out, "type {number} {}", ty.text(0));
    }
    for needed in module.tables(5) {
        let (name, version, kind) = (needed.text(0), needed.number(1), needed.number(2));
        let _ = writeln!(out, "needs {name} {version} {}", necessity(kind));
    }
    for import in module.tables(6) {
        let convention = import.table(1).map(|signature| signature.text(0)).unwrap_or_default();
        let kind = necessity(import.number(2));
        let _ = writeln!(out, "import {} {convention} {kind}", import.text(0));
    }
    for export in module.tables(7) {
        let _ = writeln!(out, "export {} = function {}", export.text(0), export.number(1));
    }
    for data in module.tables(9) {
        let (place, bytes) = match data.bytes(2) {
            Some(bytes) => ("inside", bytes),
            None => {
                let start = behind + data.long(3);
                ("behind", &file[start..start + data.long(4)])
            }
        };
        let _ = writeln!(out, "data {place} {}", hex(bytes));
    }
    if let Some(state) = module.table(11) {
        let (bytes, references) = (state.number(0), state.number(1));
        let _ = writeln!(out, "globals: {bytes} bytes, {references} references");
    }
    let names: Vec<String> = module
        .table(15)
        .map_or(Vec::new(), |debug| debug.tables(1))
        .iter()
        .map(|t| t.text(0))
        .collect();
    let code = module.bytes(14).unwrap_or_default();
    let places = module.structs(12, 20);
    let ops = instructions(registry);
    for (at, (place, signature)) in places.into_iter().zip(module.tables(8)).enumerate() {
        let [start, length, features] = [0, 4, 8].map(|at| u32_at(place, at) as usize);
        let [blocks, numbers, references] = [14, 16, 18].map(|at| u16_at(place, at));
        let _ = writeln!(
            out,
            "\nfunction {} {}: {blocks} blocks, {numbers} numbers, {references} references, \
             requires {features:#x}",
            names[at],
            signature.text(0),
        );
        attrs(&mut out, &signature, 1);
        Code { bytes: &code[start..start + length], at: 0 }.list(&ops, &mut out);
    }
    out
}

fn attrs(out: &mut String, table: &Table<'_>, field: usize) {
    for attr in table.tables(field) {
        let _ = writeln!(out, "attr {} = {}", attr.text(0), attr.text(1));
    }
}

fn necessity(kind: u32) -> &'static str {
    if kind == 2 { "optional" } else { "required" }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes"))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

//===-- FlatBuffers -------------------------------------------------------------------------------

#[derive(Clone, Copy)]
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn root(self) -> Table<'a> {
        Table { reader: self, at: u32_at(self.0, 0) as usize }
    }

    /// Where an offset leads.
    fn follow(self, at: usize) -> usize {
        at + u32_at(self.0, at) as usize
    }
}

struct Table<'a> {
    reader: Reader<'a>,
    at: usize,
}

impl<'a> Table<'a> {
    fn field(&self, index: usize) -> Option<usize> {
        let bytes = self.reader.0;
        let back = u32_at(bytes, self.at).cast_signed();
        let fields = self.at.checked_add_signed(-(back as isize)).expect("a place");
        let slot = 4 + 2 * index;
        let known = slot < usize::from(u16_at(bytes, fields));
        let offset = known.then(|| u16_at(bytes, fields + slot)).filter(|&offset| offset != 0);
        offset.map(|offset| self.at + usize::from(offset))
    }

    /// A number of four bytes.
    fn number(&self, index: usize) -> u32 {
        self.field(index).map_or(0, |at| u32_at(self.reader.0, at))
    }

    /// A number of eight bytes, of which four are enough.
    fn long(&self, index: usize) -> usize {
        let Some(at) = self.field(index) else { return 0 };
        assert_eq!(u32_at(self.reader.0, at + 4), 0);
        u32_at(self.reader.0, at) as usize
    }

    fn text(&self, index: usize) -> String {
        String::from_utf8_lossy(self.bytes(index).unwrap_or_default()).into_owned()
    }

    fn bytes(&self, index: usize) -> Option<&'a [u8]> {
        let at = self.reader.follow(self.field(index)?);
        let length = u32_at(self.reader.0, at) as usize;
        Some(&self.reader.0[at + 4..at + 4 + length])
    }

    fn table(&self, index: usize) -> Option<Table<'a>> {
        Some(Table { reader: self.reader, at: self.reader.follow(self.field(index)?) })
    }

    fn tables(&self, index: usize) -> Vec<Table<'a>> {
        let Some(field) = self.field(index) else { return Vec::new() };
        let at = self.reader.follow(field);
        let count = u32_at(self.reader.0, at) as usize;
        let entries = (0..count).map(|entry| at + 4 + 4 * entry);
        entries.map(|at| Table { reader: self.reader, at: self.reader.follow(at) }).collect()
    }

    fn structs(&self, index: usize, size: usize) -> Vec<&'a [u8]> {
        let Some(field) = self.field(index) else { return Vec::new() };
        let at = self.reader.follow(field);
        let count = u32_at(self.reader.0, at) as usize;
        (0..count).map(|entry| &self.reader.0[at + 4 + size * entry..][..size]).collect()
    }
}

//===-- Code --------------------------------------------------------------------------------------

/// The ops by what they begin with. Of those that are the same for the machine, the first.
type Instructions<'a> = BTreeMap<Vec<u8>, &'a OpDef>;

fn instructions(registry: &Registry) -> Instructions<'_> {
    let mut out = Instructions::new();
    for def in registry.dialect("vm").expect("the dialect").def.ops.iter() {
        let words = || def.traits.iter().flat_map(|t| t.args.iter());
        let number = |word: &str| {
            words().find_map(|text| text.strip_prefix(word)?.trim().parse::<u8>().ok())
        };
        if let Some(opcode) = number("opcode") {
            out.entry(number("prefix").into_iter().chain([opcode]).collect()).or_insert(def);
        }
    }
    out
}

struct Code<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Code<'_> {
    fn list(mut self, ops: &Instructions<'_>, out: &mut String) {
        while self.at < self.bytes.len() {
            let at = self.at;
            if self.bytes[at] == 0x79 {
                self.at += 1;
                let _ = writeln!(out, "{at:04x}:");
                continue;
            }
            let length = if self.bytes[at] >= 0xe0 { 2 } else { 1 };
            self.at += length;
            let def = ops[&self.bytes[at..self.at]];
            let code = def.traits.iter().find(|t| t.name == "Code").expect("a code");
            let mut fields: Vec<String> = code.args.iter().skip(1).map(|f| f.to_string()).collect();
            if fields.is_empty() {
                let groups = def.operands.iter().chain(def.results.iter());
                fields = groups.map(|group| format!("register {}", group.name)).collect();
            }
            let _ = write!(out, "  {}", def.name);
            for field in &fields {
                let (kind, _) = field.split_once(' ').expect("a field");
                let text = self.field(kind, &def.name);
                let _ = write!(out, " {text}");
            }
            out.push('\n');
        }
    }

    fn field(&mut self, kind: &str, op: &str) -> String {
        match kind {
            "register" => self.register(),
            "registers" | "arguments" => {
                let registers: Vec<String> = self.counted(Code::register);
                format!("({})", registers.join(" "))
            }
            "numbers" => {
                let numbers = self.counted(|code| code.short().cast_signed().to_string());
                format!("[{}]", numbers.join(" "))
            }
            "type" | "held" => format!("type {}", self.word()),
            "symbol" => match self.word() {
                import if import & 0x8000_0000 != 0 => format!("import {}", import & 0x7fff_ffff),
                own => format!("#{own}"),
            },
            "number" => {
                let size = if op.contains("64") { 8 } else { 4 };
                self.at += size;
                format!(
                    "0x{}",
                    hex(&self.bytes[self.at - size..self.at]
                        .iter()
                        .rev()
                        .copied()
                        .collect::<Vec<_>>())
                )
            }
            "text" => {
                let length = usize::from(self.short());
                self.at += length;
                format!("{:?}", String::from_utf8_lossy(&self.bytes[self.at - length..self.at]))
            }
            "branch" => self.branch(),
            "branches" => {
                let count = self.short();
                let branches: Vec<String> = (0..count).map(|_| self.branch()).collect();
                format!("[{}]", branches.join(", "))
            }
            "target" => format!("-> {:04x}", self.word()),
            other => panic!("no field is called {other}"),
        }
    }

    fn short(&mut self) -> u16 {
        self.at += 2;
        u16_at(self.bytes, self.at - 2)
    }

    fn word(&mut self) -> u32 {
        self.at += 4;
        u32_at(self.bytes, self.at - 4)
    }

    fn counted(&mut self, one: impl Fn(&mut Self) -> String) -> Vec<String> {
        self.at = self.at.next_multiple_of(2);
        let count = self.short();
        (0..count).map(|_| one(self)).collect()
    }

    fn register(&mut self) -> String {
        match self.short() {
            taken if taken & 0xc000 == 0xc000 => format!("R{}", taken & 0x3fff),
            reference if reference & 0x8000 != 0 => format!("r{}", reference & 0x3fff),
            number => format!("i{number}"),
        }
    }

    fn branch(&mut self) -> String {
        let to = self.word();
        let copies = self.counted(|code| format!("{}->{}", code.register(), code.register()));
        format!("-> {to:04x}({})", copies.join(" "))
    }
}
