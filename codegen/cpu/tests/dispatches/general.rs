//! Dispatches without encodings: whatever linalg computes on static tensors.

use crate::support::dispatch::Function;
use crate::support::{evaluate, module, pipeline, run_passes};
use tegula_ir::{
    AffineExpr, AffineExprData, AffineMap, AffineOp, Attr, Body, InsertPoint, NewOp, Type, ValueId,
};

fn values(count: i64, seed: i64) -> Vec<f32> {
    (0..count).map(|i| ((i * 5 + seed) % 13 - 6) as f32).collect()
}

fn map(dims: u32, results: &[AffineExpr]) -> Attr {
    Attr::map(AffineMap::get(dims, 0, results))
}

fn d(dim: u32) -> AffineExpr {
    AffineExpr::dim(dim)
}

fn binary(name: &'static str) -> impl Fn(&mut Body, InsertPoint, ValueId, ValueId) -> ValueId {
    move |body, at, x, y| {
        let op = body.insert(at, NewOp::new(name).operands([x, y]).result(Type::f32()));
        body.result(op, 0)
    }
}

/// A dispatch of inputs of these shapes and one output; `compute` gives the value to store.
fn dispatch(
    inputs: &[&[i64]],
    output: &[i64],
    compute: impl FnOnce(&mut Function, &[ValueId], Type) -> ValueId,
) -> Body {
    let mut f = Function::new();
    let mut loaded = Vec::new();
    for (number, shape) in inputs.iter().enumerate() {
        let ty = Type::tensor(shape, Type::f32(), None);
        let source = f.binding(number as i64, "readonly", ty);
        loaded.push(f.load(source, ty));
    }
    let ty = Type::tensor(output, Type::f32(), None);
    let target = f.binding(inputs.len() as i64, "writeonly", ty);
    let value = compute(&mut f, &loaded, ty);
    f.store(value, target);
    f.finish()
}

/// Runs the dispatch before and after each pass; the results must be the same bytes.
fn check(what: &str, body: Body, inputs: &[&[i64]], output: &[i64]) -> Vec<f32> {
    let mut bindings: Vec<Vec<f32>> = inputs
        .iter()
        .enumerate()
        .map(|(seed, shape)| values(shape.iter().product(), seed as i64))
        .collect();
    bindings.push(vec![f32::NAN; output.iter().product::<i64>() as usize]);
    let mut at = module(body);
    let run = |at: &_, pass: &str| {
        let out = evaluate(at, &bindings).unwrap_or_else(|e| panic!("{what}, after {pass}: {e:?}"));
        out.into_iter().next_back().unwrap_or_default()
    };
    let expected = run(&at, "nothing");
    for pass in pipeline() {
        at = run_passes(at, &[pass]).unwrap_or_else(|r| panic!("{what}, {pass}: {r:?}"));
        assert!(run(&at, pass) == expected, "{what}: {pass} changes the result");
    }
    let left = at.bodies[0].walk_all().find(|&op| {
        let name = at.bodies[0].name(op);
        matches!(name.dialect(), "linalg" | "tensor" | "affine")
            || name.as_str().starts_with("vector.transfer")
    });
    assert_eq!(left.map(|op| at.bodies[0].name(op)), None, "{what}: not lowered");
    expected
}

fn empty(f: &mut Function, ty: Type) -> ValueId {
    f.value(NewOp::new("tensor.empty").result(ty))
}

#[test]
fn elementwise_ops_of_any_shape() {
    for shape in [&[16][..], &[5], &[127, 255], &[3, 4], &[4, 3], &[2, 3, 9], &[1, 1], &[0, 4]] {
        let rank = shape.len() as u32;
        let all: Vec<AffineExpr> = (0..rank).map(d).collect();
        let body = dispatch(&[shape, shape], shape, |f, ins, ty| {
            let out = empty(f, ty);
            let maps = vec![map(rank, &all); 3];
            let iterators = vec!["parallel"; shape.len()];
            f.generic(&maps, &iterators, &[ins[0], ins[1], out], ty, |body, at, args| {
                let product = binary("arith.mulf")(body, at, args[0], args[1]);
                binary("arith.subf")(body, at, product, args[0])
            })
        });
        check(&format!("elementwise {shape:?}"), body, &[shape, shape], shape);
    }
}

#[test]
fn operands_may_be_transposed_and_repeated() {
    for (rows, columns) in [(8, 12), (7, 5), (1, 9)] {
        let (output, shape, row) = ([rows, columns], [columns, rows], [columns]);
        let inputs: [&[i64]; 2] = [&shape, &row];
        let body = dispatch(&inputs, &output, |f, ins, ty| {
            let out = empty(f, ty);
            let maps = [map(2, &[d(1), d(0)]), map(2, &[d(1)]), map(2, &[d(0), d(1)])];
            f.generic(&maps, &["parallel"; 2], &[ins[0], ins[1], out], ty, |body, at, args| {
                binary("arith.addf")(body, at, args[0], args[1])
            })
        });
        check(&format!("transposed {rows}x{columns}"), body, &inputs, &output);
    }
}

#[test]
fn reductions_start_from_what_the_destination_holds() {
    for (rows, columns) in [(6, 9), (8, 8), (3, 0)] {
        let (shape, output) = ([rows, columns], [rows]);
        let inputs: [&[i64]; 2] = [&shape, &output];
        let body = dispatch(&inputs, &output, |f, ins, ty| {
            let maps = [map(2, &[d(0), d(1)]), map(2, &[d(0)])];
            f.generic(&maps, &["parallel", "reduction"], &[ins[0], ins[1]], ty, |body, at, args| {
                binary("arith.addf")(body, at, args[1], args[0])
            })
        });
        check(&format!("row sums of {rows}x{columns}"), body, &inputs, &output);
    }
}

#[test]
fn maps_may_be_sums_of_dimensions() {
    let window = AffineExpr::new(AffineExprData::Binary(AffineOp::Add, d(0), d(1)));
    let inputs: [&[i64]; 3] = [&[12], &[3], &[10]];
    let body = dispatch(&inputs, &[10], |f, ins, ty| {
        let maps = [map(2, &[window]), map(2, &[d(1)]), map(2, &[d(0)])];
        f.generic(&maps, &["parallel", "reduction"], ins, ty, |body, at, args| {
            let product = binary("arith.mulf")(body, at, args[0], args[1]);
            binary("arith.addf")(body, at, args[2], product)
        })
    });
    check("convolution", body, &inputs, &[10]);
}

/// The contractions that are not worth packing, and any other one.
#[test]
fn contractions_without_encodings() {
    for (m, n, k) in
        [(1, 40, 64), (64, 1, 32), (1, 1, 9), (5, 7, 3), (1, 3, 5), (6, 1, 7), (1, 9, 0)]
    {
        let inputs: [&[i64]; 3] = [&[m, k], &[k, n], &[m, n]];
        let body = dispatch(&inputs, &[m, n], |f, ins, ty| f.contraction(ins, ty));
        let result = check(&format!("contraction {m}x{n}x{k}"), body, &inputs, &[m, n]);
        let (a, b, mut c) = (values(m * k, 0), values(k * n, 1), values(m * n, 2));
        for i in 0..m {
            for j in 0..n {
                for l in 0..k {
                    c[(i * n + j) as usize] += a[(i * k + l) as usize] * b[(l * n + j) as usize];
                }
            }
        }
        assert!(result == c, "contraction {m}x{n}x{k}: wrong result");
    }
}

#[test]
fn producers_are_computed_where_they_are_used() {
    let shape = [9, 20];
    let inputs: [&[i64]; 2] = [&shape, &shape];
    let body = dispatch(&inputs, &shape, |f, ins, ty| {
        let maps = vec![map(2, &[d(0), d(1)]); 3];
        let first = empty(f, ty);
        let sum =
            f.generic(&maps, &["parallel"; 2], &[ins[0], ins[1], first], ty, |body, at, a| {
                binary("arith.addf")(body, at, a[0], a[1])
            });
        let second = empty(f, ty);
        f.generic(&maps, &["parallel"; 2], &[sum, ins[0], second], ty, |body, at, a| {
            binary("arith.mulf")(body, at, a[0], a[1])
        })
    });
    check("sum, product", body, &inputs, &shape);
}

/// A comparison has no vector form here, so that its tiles stay in memory.
#[test]
fn ops_without_vectors_become_loops() {
    let shape = [5, 8];
    let inputs: [&[i64]; 2] = [&shape, &shape];
    let body = dispatch(&inputs, &shape, |f, ins, ty| {
        let maps = vec![map(2, &[d(0), d(1)]); 3];
        let out = empty(f, ty);
        f.generic(&maps, &["parallel"; 2], &[ins[0], ins[1], out], ty, |body, at, a| {
            let less = NewOp::new("arith.cmpf")
                .operands([a[0], a[1]])
                .attr("predicate", Attr::i64(4))
                .result(Type::int(1));
            let less = body.insert(at, less);
            let less = body.result(less, 0);
            let select = NewOp::new("arith.select").operands([less, a[0], a[1]]);
            let select = body.insert(at, select.result(Type::f32()));
            body.result(select, 0)
        })
    });
    check("choice", body, &inputs, &shape);
}
