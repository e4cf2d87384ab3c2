// How ops stand in a module file: a code, then fields.

class VM_Field<string kind, string what> {
  string text = kind # " " # what;
}
/// The register of the one value of an operand or result group.
class VM_Reg<string group> : VM_Field<"register", group>;
/// How many values a group has, and their registers.
class VM_Regs<string group> : VM_Field<"registers", group>;
/// The number of the type of a group's one value.
class VM_TypeOf<string group> : VM_Field<"type", group>;
/// The number of the type of what a list holds.
class VM_HeldType<string group> : VM_Field<"held", group>;
/// The number of the symbol that an attribute names. Imports have the highest bit set.
class VM_Sym<string attr> : VM_Field<"symbol", attr>;
/// A number of the attribute's own width.
class VM_Imm<string attr> : VM_Field<"number", attr>;
/// How many elements an attribute has, and they.
class VM_Imms<string attr> : VM_Field<"numbers", attr>;
/// The length of a text, and its bytes; nothing has length zero.
class VM_Str<string attr> : VM_Field<"text", attr>;
/// Where a successor begins, and which registers its arguments are copied from.
class VM_Go<string successor> : VM_Field<"branch", successor>;
/// How many successors a group has, and the same of each.
class VM_GoTable<string successor> : VM_Field<"branches", successor>;
/// Where a successor begins.
class VM_Target<string successor> : VM_Field<"target", successor>;
/// How many arguments a successor has, and their registers.
class VM_TargetRegs<string successor> : VM_Field<"arguments", successor>;

/// The op has an instruction. Without fields it is a register for each operand, then for each result.
class VM_Code<int opcode, list<VM_Field> fields = []>
    : NativeTrait<"Code", !listconcat(["opcode " # opcode], !foreach(it, fields, it.text))>;
