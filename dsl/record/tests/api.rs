//! Records as readers see them.

use std::path::Path;

use tegula_diag::{Diagnostic, Renderer, Sources, Style};
use tegula_record::{Files, Macros, Records, Ty, Value, json, load, load_each, print};

fn records(text: &str) -> (Records, Sources) {
    let mut sources = Sources::new();
    let (records, diagnostics) = load("a.td", &Files::in_memory().file("a.td", text), &mut sources);
    assert_eq!(diagnostics, [], "{}", Renderer::plain(&sources).render_all(&diagnostics));
    (records, sources)
}

const SAMPLE: &str = r#"
def ins;
class Op<string n, dag args = (ins)> {
  string name = n;
  dag arguments = args;
  bits<3> low = 0b101;
  int cost = 3;
  bit pure = true;
  list<string> traits = ["A", "B"];
  Op base = ?;
  list<Op> all = [];
}
def Z : Op<"z">;
def A : Op<"a", (ins Z:$lhs,
                     $rhs)> { let base = Z; let all = [Z, Op<"inline">]; let cost = 4; }
"#;

#[test]
fn fields_have_types_values_and_places() {
    let (records, sources) = records(SAMPLE);
    let a = records.def("A").expect("A is defined");
    assert!(a.isa("Op") && !a.isa("ins") && !a.anonymous);
    assert_eq!(sources.locate(a.span), "a.td:14:5");
    assert_eq!(&**a.string("name").expect("a string"), "a");
    assert_eq!(a.int("cost"), Ok(4));
    assert_eq!(a.int("low"), Ok(5), "known bits are an integer");
    assert_eq!(a.bit("pure"), Ok(true));
    assert_eq!(a.string_list("traits").expect("strings").len(), 2);
    assert_eq!(a.def("base", &records).expect("a definition").name, "Z".into());
    assert_eq!(a.def_list("all", &records).expect("definitions").len(), 2);
    let z = records.def("Z").expect("Z is defined");
    assert_eq!(z.def_opt("base", &records).expect("may be unset"), None);
    let field = &a.fields["cost"];
    assert_eq!((&field.ty, sources.locate(field.span).as_str()), (&Ty::Int, "a.td:15:85"));
    assert_eq!(
        sources.slice(z.fields["cost"].span),
        "3",
        "an inherited value's place is the class"
    );
}

#[test]
fn dag_arguments_have_places() {
    let (records, sources) = records(SAMPLE);
    let dag = records.def("A").expect("A is defined").dag("arguments").expect("a dag");
    assert_eq!(dag.op, Value::Def("ins".into()));
    let places: Vec<String> = dag.args.iter().map(|arg| sources.locate(arg.span)).collect();
    assert_eq!(places, ["a.td:14:22", "a.td:15:22"]);
    assert_eq!(dag.args[0].name.as_deref(), Some("lhs"));
    assert_eq!(dag.args[1].value, Value::Unset);
}

#[test]
fn derived_definitions_come_in_order() {
    let (records, _) = records(SAMPLE);
    let names: Vec<&str> = records.derived("Op").map(|record| &*record.name).collect();
    assert_eq!(names, ["Z", "anonymous_0", "A"]);
}

#[test]
fn wrong_types_are_located() {
    let (records, sources) = records(SAMPLE);
    let check = |error: Option<Diagnostic>, want: &str| {
        let error = error.expect("the field has another type");
        assert_eq!(Renderer::new(&sources, Style::Short).render(&error).trim_end(), want);
    };
    let a = records.def("A").expect("A is defined");
    check(
        a.string("cost").err(),
        "a.td:15:85: error[field-type]: field `cost` of `A` must be a string, not an integer",
    );
    check(a.int("costs").err(), "a.td:14:5: error[missing-field]: `A` has no field `costs`");
    let z = records.def("Z").expect("Z is defined");
    check(
        z.def("base", &records).err(),
        "a.td:10:13: error[field-type]: field `base` of `Z` must be a definition, not nothing (`?`)",
    );
}

#[test]
fn an_include_may_stand_in_a_let() {
    let mut sources = Sources::new();
    let main = "#define M\nlet x = 2 in { include \"b.td\" }\ndef d : B;";
    let files = Files::in_memory()
        .file("main.td", main)
        .file("b.td", "#ifdef M\nclass B { int x = 1; }\ndef in_let : B;\n#endif");
    // The `let` holds for the class too, whose field does not exist yet then.
    let (records, diagnostics) = load("main.td", &files, &mut sources);
    let codes: Vec<&str> = diagnostics.iter().map(|d| &*d.code).collect();
    assert_eq!(codes, ["unknown-field"]);
    assert_eq!(records.def("in_let").expect("is defined").int("x"), Ok(2));
    assert_eq!(sources.find(Path::new("b.td")).map(|id| id.0), Some(1));
}

/// Files that are evaluated together give what each gives alone, places included.
#[test]
fn files_together_are_as_files_alone() {
    let files = Files::in_memory()
        .file(
            "base.td",
            "#ifndef B\n#define B\nclass A<int x> { int y = x; }\ndef a : A<1>;\n#endif\n",
        )
        .file("more.td", "include \"base.td\"\nclass Later;\nmulticiass M {}\ndef m : A<2>;\n")
        .file("1.td", "include \"more.td\"\ndef x : A<3>;\nclass Later { int z = 1; }\n")
        .file("2.td", "include \"base.td\"\ndef x : Later;\n")
        .file("3.td", "include \"more.td\"\ndef z : Later { int own = A<4>.y; }\n")
        .file("4.td", "#define B\ninclude \"more.td\"\n")
        .file("5.td", "include \"more.td\"\ndef x : A<3>;\nlet y = 5 in { include \"2.td\" }\n");
    let paths = ["1.td", "2.td", "3.td", "4.td", "5.td", "missing.td"];
    let shown = |records: &Records, found: &[Diagnostic], sources: &Sources| {
        let found = Renderer::plain(sources).render_all(found);
        format!("{found}{}{}", print::dump(records), json::dump(records, sources))
    };
    let alone = paths.map(|path| {
        let mut sources = Sources::new();
        let (records, found) = load(path, &files, &mut sources);
        shown(&records, &found, &sources)
    });
    let mut together = vec![String::new(); paths.len()];
    let mut one_by_one = together.clone();
    let (mut as_json, mut as_text) = (json::Dumper::default(), print::Printer::default());
    let mut sources = Sources::new();
    load_each(
        &paths,
        &Macros::default(),
        &files,
        &mut sources,
        &mut |at, evaluated, found, all| {
            let found = Renderer::plain(all).render_all(&found);
            let mut written = found.clone().into_bytes();
            print::write(evaluated, &mut written).expect("memory can be written");
            json::write(evaluated, all, &mut written).expect("memory can be written");
            one_by_one[at] = String::from_utf8(written).expect("text");
            let records = evaluated.records();
            let text = as_text.dump(&records);
            together[at] = format!("{found}{text}{}", as_json.dump(&records, all));
        },
    );
    assert_eq!(together, alone);
    assert_eq!(one_by_one, alone);
}

#[test]
fn instruction_encodings_keep_references() {
    let (records, _) = records("def I { bits<2> rd; bits<4> word = {1, 0, rd}; }");
    let word = records.def("I").and_then(|record| record.get("word"));
    let rd = |at| Value::BitOf("rd".into(), at);
    let want = [rd(0), rd(1), Value::Bit(false), Value::Bit(true)];
    assert_eq!(word, Some(&Value::MixedBits(want.into())));
}

/// What calls itself may go deep, as long as it ends.
#[test]
fn recursion_that_ends() {
    let (records, _) = records(
        "class Sum<int n> { int v = !if(!eq(n, 0), 0, !add(n, Sum<!sub(n, 1)>.v)); }\n\
         def a { int to3000 = Sum<3000>.v; }",
    );
    assert_eq!(records.def("a").expect("it is defined").int("to3000"), Ok(4_501_500));
}

#[test]
fn json_is_llvms() {
    let (records, sources) = records(
        "class A<int n> { int v = n; string s = \"q\\\"\\n\"; }\ndef a : A<1> { field bits<2> b = {?, 1}; }",
    );
    assert_eq!(
        json::dump(&records, &sources),
        concat!(
            r#"{"!instanceof":{"A":["a"]},"!tablegen_json_version":1,"#,
            r#""a":{"!anonymous":false,"!fields":["b"],"!locs":["a.td:2"],"!name":"a","#,
            r#""!superclasses":["A"],"v":1,"s":"q\"\n","b":[1,null]}}"#,
            "\n"
        )
    );
}

/// Dropping, replacing or preceding a character by another gives errors at most, and never a panic.
#[test]
fn any_single_typo_is_survived() {
    let text = "class A<int x = 1, bits<2> y = {0,1}> { let z{1-0} = y; string s = \"a\" # x; bits<4> z; }\n\
                multiclass M<int n> { def a#n : A<n>; defm \"\" : N<n>; }\nmulticlass N<int n> { def NAME#n; }\n\
                let x = [1]<int> in { defm b : M<0x1f>; foreach i = {0-3} in if !eq(i, 1) then def c#i; \
                else { def d#i { dag e = (f A<i>:$h, $j); int k = !cond(1: [1,2][i], true: ?); } } }\n\
                def f { list<A> l = !foreach(i, !range(3), A<i, {1, 1}>); int m = !foldl(0, [1], a, b, !add(a, b)); }\n\
                defset list<A> s = { def g : A { let z = !cast<int>(!strconcat(\"1\", NAME)); } } assert 1, \"m\";\n";
    for (at, char) in text.char_indices().step_by(4) {
        let (before, after) = text.split_at(at);
        let middles = ["", "{", "\"", ";", "#", "?", "x", "0", "<", "!"];
        let middle = middles[at / 4 % middles.len()];
        for changed in [
            format!("{before}{middle}{}", &after[char.len_utf8()..]),
            format!("{before}{middle}{after}"),
        ] {
            let files = Files::in_memory().file("a.td", changed.as_str());
            let mut sources = Sources::new();
            let (_, diagnostics) = load("a.td", &files, &mut sources);
            if at % 16 == 0 {
                let again = load("a.td", &files, &mut Sources::new()).1;
                assert_eq!(diagnostics, again, "the same input gives the same errors");
            }
            for diagnostic in &diagnostics {
                let span = diagnostic.primary.expect("every error has a place");
                assert!(span.end as usize <= changed.len(), "{diagnostic:?} outside of the text");
            }
        }
    }
}
