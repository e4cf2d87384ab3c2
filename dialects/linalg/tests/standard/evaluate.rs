//! Numbers that programs give, against numbers computed here without the evaluator.

use crate::common;

use tegula_eval::{EvalError, Tensor, Value, run_function};

fn run(text: &str, name: &str, args: &[Value]) -> Result<Vec<Value>, EvalError> {
    let module = common::parse(&common::registry(), text);
    run_function(&module, &common::semantics(), name, args)
}

fn tensor(shape: &[i64], values: &[f32]) -> Value {
    Value::Tensor(Tensor::from_f32(shape, values).expect("the shape fits"))
}

/// Runs a function that gives one tensor of `f32`.
fn floats(text: &str, name: &str, args: &[Value]) -> Vec<f32> {
    let results = run(text, name, args).expect("the function runs");
    results[0].as_tensor().expect("a tensor").to_f32().expect("f32 elements")
}

/// A reproducible sequence of small integers as floats.
fn small_integers(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((state >> 24) % 17) as f32 - 8.0
    };
    std::iter::repeat_with(next).take(count).collect()
}

fn matmul(a: &[f32], b: &[f32], c: &[f32], (m, n, k): (usize, usize, usize)) -> Vec<f32> {
    let mut out = c.to_vec();
    for i in 0..m {
        for j in 0..n {
            for l in 0..k {
                out[i * n + j] += a[i * k + l] * b[l * n + j];
            }
        }
    }
    out
}

#[test]
fn matmuls_of_many_shapes() {
    let shapes = [
        (1, 1, 1),
        (7, 7, 7),
        (9, 17, 33),
        (3, 100, 5),
        (1, 40, 64),
        (51, 52, 1),
        (0, 3, 4),
        (2, 3, 0),
    ];
    for (m, n, k) in shapes {
        let text = format!(
            "func.func @f(%a: tensor<{m}x{k}xf32>, %b: tensor<{k}x{n}xf32>, %c: tensor<{m}x{n}xf32>) \
             -> tensor<{m}x{n}xf32> {{
               %0 = linalg.matmul ins(%a, %b : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) \
                                  outs(%c : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
               return %0 : tensor<{m}x{n}xf32>
             }}"
        );
        let (a, b, c) =
            (small_integers(m * k, 1), small_integers(k * n, 2), small_integers(m * n, 3));
        let args = [
            tensor(&[m as i64, k as i64], &a),
            tensor(&[k as i64, n as i64], &b),
            tensor(&[m as i64, n as i64], &c),
        ];
        assert_eq!(floats(&text, "f", &args), matmul(&a, &b, &c, (m, n, k)), "{m}x{n}x{k}");
    }
}

#[test]
fn packed_matmul_is_the_plain_one() {
    let text = "
      func.func @f(%a: tensor<5x7xf32>, %b: tensor<7x9xf32>, %c: tensor<5x9xf32>) -> tensor<5x9xf32> {
        %zero = arith.constant 0.0 : f32
        %ea = tensor.empty() : tensor<2x7x4x1xf32>
        %pa = linalg.pack %a padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 1]
          into %ea : tensor<5x7xf32> -> tensor<2x7x4x1xf32>
        %eb = tensor.empty() : tensor<3x7x4x1xf32>
        %pb = linalg.pack %b padding_value(%zero : f32) outer_dims_perm = [1, 0]
          inner_dims_pos = [1, 0] inner_tiles = [4, 1] into %eb : tensor<7x9xf32> -> tensor<3x7x4x1xf32>
        %ec = tensor.empty() : tensor<2x3x4x4xf32>
        %pc = linalg.pack %c padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 4]
          into %ec : tensor<5x9xf32> -> tensor<2x3x4x4xf32>
        %m = linalg.mmt4d ins(%pa, %pb : tensor<2x7x4x1xf32>, tensor<3x7x4x1xf32>)
          outs(%pc : tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
        %e = tensor.empty() : tensor<5x9xf32>
        %u = linalg.unpack %m inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %e
          : tensor<2x3x4x4xf32> -> tensor<5x9xf32>
        return %u : tensor<5x9xf32>
      }";
    let (a, b, c) = (small_integers(35, 4), small_integers(63, 5), small_integers(45, 6));
    let args = [tensor(&[5, 7], &a), tensor(&[7, 9], &b), tensor(&[5, 9], &c)];
    assert_eq!(floats(text, "f", &args), matmul(&a, &b, &c, (5, 9, 7)));
}

#[test]
fn row_maximum_does_not_see_padding() {
    let text = "
      func.func @f(%a: tensor<2x3xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
        %max = linalg.generic {
            indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
            iterator_types = [\"parallel\", \"reduction\"]}
            ins(%a : tensor<2x3xf32>) outs(%init : tensor<2xf32>) {
        ^bb0(%in: f32, %acc: f32):
          %m = arith.maximumf %in, %acc : f32
          linalg.yield %m : f32
        } -> tensor<2xf32>
        return %max : tensor<2xf32>
      }";
    let args = [
        tensor(&[2, 3], &[-1.0, -7.0, -3.0, 5.0, f32::NAN, 2.0]),
        tensor(&[2], &[f32::NEG_INFINITY; 2]),
    ];
    let out = floats(text, "f", &args);
    assert_eq!(out[0], -1.0);
    assert!(out[1].is_nan());
}

#[test]
fn regions_that_are_one_op_compute_it() {
    let text = "
      func.func @f(%a: tensor<2x3xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
        %sum = linalg.reduce { arith.addf } ins(%a : tensor<2x3xf32>) outs(%init : tensor<3xf32>)
          dimensions = [0]
        %product = linalg.map { arith.mulf } ins(%sum, %sum : tensor<3xf32>, tensor<3xf32>)
          outs(%init : tensor<3xf32>)
        return %product : tensor<3xf32>
      }";
    let args = [tensor(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), tensor(&[3], &[0.0, 1.0, 2.0])];
    assert_eq!(floats(text, "f", &args), [25.0, 64.0, 121.0]);
}

#[test]
fn loops_carry_values_and_write_memory() {
    let text = "
      func.func @f(%n: index) -> (index, f32) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %x = arith.constant 1.5 : f32
        %buffer = memref.alloca() : memref<8xf32>
        %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (index) {
          %next = arith.addi %s, %i : index
          memref.store %x, %buffer[%i] : memref<8xf32>
          scf.yield %next : index
        }
        %v = vector.load %buffer[%c1] : memref<8xf32>, vector<4xf32>
        %w = vector.fma %v, %v, %v : vector<4xf32>
        %r = vector.reduction <add>, %w : vector<4xf32> into f32
        return %sum, %r : index, f32
      }";
    let results = run(text, "f", &[Value::index(8)]).expect("the function runs");
    assert_eq!(results, [Value::index(28), Value::f32(15.0)]);
    let error = run(text, "f", &[Value::index(9)]).expect_err("the ninth store is out of bounds");
    assert_eq!(
        error.to_string(),
        "'memref.store' op index 8 is out of bounds of dimension 0, which has size 8\n  in @f"
    );
}

#[test]
fn branches_and_calls() {
    let text = "
      func.func @factorial(%n: i64) -> i64 {
        %one = arith.constant 1 : i64
        %stop = arith.cmpi sle, %n, %one : i64
        cf.cond_br %stop, ^done(%one : i64), ^more
      ^more:
        %less = arith.subi %n, %one : i64
        %rest = call @factorial(%less) : (i64) -> i64
        %product = arith.muli %n, %rest : i64
        cf.br ^done(%product : i64)
      ^done(%result: i64):
        return %result : i64
      }";
    let results = run(text, "factorial", &[Value::int(10, 64)]).expect("the function runs");
    assert_eq!(results, [Value::int(3_628_800, 64)]);
}

#[test]
fn undefined_arithmetic_is_an_error() {
    let text = "
      func.func @f(%a: i32, %b: i32) -> i32 {
        %0 = arith.divsi %a, %b : i32
        return %0 : i32
      }";
    let message = |a, b| {
        let args = [Value::int(a, 32), Value::int(b, 32)];
        run(text, "f", &args).expect_err("division is undefined").message
    };
    assert_eq!(message(5, 0), "divides by zero");
    assert_eq!(message(i64::from(i32::MIN), -1), "overflows: the least number divided by -1");
}

#[test]
fn transfers_pad_and_clip() {
    let text = "
      func.func @f(%t: tensor<3x3xf32>) -> tensor<3x3xf32> {
        %c1 = arith.constant 1 : index
        %pad = arith.constant 9.0 : f32
        %v = vector.transfer_read %t[%c1, %c1], %pad : tensor<3x3xf32>, vector<3x3xf32>
        %w = vector.transpose %v, [1, 0] : vector<3x3xf32> to vector<3x3xf32>
        %r = vector.transfer_write %w, %t[%c1, %c1] : vector<3x3xf32>, tensor<3x3xf32>
        return %r : tensor<3x3xf32>
      }";
    let values: Vec<f32> = (0u8..9).map(f32::from).collect();
    let out = floats(text, "f", &[tensor(&[3, 3], &values)]);
    assert_eq!(out, [0.0, 1.0, 2.0, 3.0, 4.0, 7.0, 6.0, 5.0, 8.0]);
}

#[test]
fn contraction_agrees_with_a_loop() {
    let text = "
      func.func @f(%a: tensor<4x2xf32>, %b: tensor<8x2xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
        %c0 = arith.constant 0 : index
        %p = ub.poison : f32
        %va = vector.transfer_read %a[%c0, %c0], %p {in_bounds = [true, true]} : tensor<4x2xf32>, vector<4x2xf32>
        %vb = vector.transfer_read %b[%c0, %c0], %p {in_bounds = [true, true]} : tensor<8x2xf32>, vector<8x2xf32>
        %vc = vector.transfer_read %c[%c0, %c0], %p {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
        %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<add>} %va, %vb, %vc : vector<4x2xf32>, vector<8x2xf32> into vector<4x8xf32>
        %t = vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
        return %t : tensor<4x8xf32>
      }";
    let (a, b, c) = (small_integers(8, 7), small_integers(16, 8), small_integers(32, 9));
    let mut transposed = vec![0.0; 16];
    for n in 0..8 {
        for k in 0..2 {
            transposed[k * 8 + n] = b[n * 2 + k];
        }
    }
    let args = [tensor(&[4, 2], &a), tensor(&[8, 2], &b), tensor(&[4, 8], &c)];
    assert_eq!(floats(text, "f", &args), matmul(&a, &transposed, &c, (4, 8, 2)));
}

#[test]
fn functions_of_numbers() {
    let text = "
      func.func @f(%a: i8, %x: f32, %y: f32) -> (i8, i8, i8, i8, f32, f32, f32, f32) {
        %0 = math.absi %a : i8
        %1 = math.ctlz %a : i8
        %2 = math.cttz %a : i8
        %3 = math.ctpop %a : i8
        %4 = math.roundeven %x : f32
        %5 = math.round %x : f32
        %6 = math.copysign %x, %y : f32
        %7 = math.fma %x, %y, %y : f32
        return %0, %1, %2, %3, %4, %5, %6, %7 : i8, i8, i8, i8, f32, f32, f32, f32
      }";
    let of = |a: i64| run(text, "f", &[Value::int(a, 8), Value::f32(2.5), Value::f32(-3.0)]);
    let floats = [2.0, 3.0, -2.5, -10.5].map(Value::f32);
    let with = |integers: [i64; 4]| -> Vec<Value> {
        integers.map(|n| Value::int(n, 8)).into_iter().chain(floats.clone()).collect()
    };
    assert_eq!(of(-12).expect("the function runs"), with([12, 0, 2, 5]));
    assert_eq!(of(20).expect("the function runs"), with([20, 3, 2, 2]));
    assert_eq!(of(0).expect("the function runs"), with([0, 8, 8, 0]));
}

#[test]
fn a_filter_slides_in_steps() {
    let text = "
      func.func @f(%a: tensor<1x7x6x2xf32>, %f: tensor<3x2x2x3xf32>, %c: tensor<1x2x3x3xf32>)
          -> tensor<1x2x3x3xf32> {
        %0 = linalg.conv_2d_nhwc_hwcf {
            dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[3, 2]> : tensor<2xi64>}
          ins(%a, %f : tensor<1x7x6x2xf32>, tensor<3x2x2x3xf32>)
          outs(%c : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
        return %0 : tensor<1x2x3x3xf32>
      }";
    let (a, f, c) = (small_integers(84, 7), small_integers(36, 8), small_integers(18, 9));
    let mut wanted = c.clone();
    for (at, sum) in wanted.iter_mut().enumerate() {
        let (row, column, channel) = (at / 9, at / 3 % 3, at % 3);
        for (i, weight) in f.iter().enumerate().filter(|(i, _)| i % 3 == channel) {
            let (down, right, depth) = (i / 12, i / 6 % 2, i / 3 % 2);
            *sum += weight * a[((row * 3 + down) * 6 + column * 2 + right) * 2 + depth];
        }
    }
    let args = [tensor(&[1, 7, 6, 2], &a), tensor(&[3, 2, 2, 3], &f), tensor(&[1, 2, 3, 3], &c)];
    assert_eq!(floats(text, "f", &args), wanted);
}
