//! The order in which ops of a body are visited, and what bounds a visit.

use tegula_ir::{BlockId, Body, InsertPoint, NewOp, OpId};

/// Adds an op with that many regions to the end of a block.
fn op(body: &mut Body, block: BlockId, name: &str, regions: usize) -> OpId {
    body.insert(InsertPoint::End(block), NewOp::new(name).regions(regions))
}

fn block(body: &mut Body, op: OpId, region: usize) -> BlockId {
    let region = body.regions(op)[region];
    body.append_block(region)
}

/// Blocks without ops, a region without blocks, and ops behind nested ones.
fn sample() -> Body {
    let mut body = Body::new();
    let top = body.top_block();
    let root = op(&mut body, top, "t.root", 3);
    block(&mut body, root, 0);
    let second = block(&mut body, root, 0);
    block(&mut body, root, 0);
    op(&mut body, second, "t.a", 0);
    let outer = op(&mut body, second, "t.outer", 2);
    let hollow = block(&mut body, outer, 0);
    op(&mut body, hollow, "t.hollow", 1);
    let inner = block(&mut body, outer, 1);
    op(&mut body, inner, "t.b", 0);
    op(&mut body, second, "t.c", 0);
    let last = block(&mut body, root, 2);
    op(&mut body, last, "t.d", 0);
    op(&mut body, top, "t.other", 0);
    body
}

fn check(body: &Body, ops: impl Iterator<Item = OpId>, expected: &str) {
    let names: Vec<&str> = ops.map(|op| body.name(op).as_str()).collect();
    assert_eq!(names.join(" "), expected);
}

fn find(body: &Body, name: &str) -> OpId {
    body.walk_all().find(|&op| body.is(op, name)).expect("the op is there")
}

#[test]
fn a_walk_is_in_layout_order_and_ends_with_what_it_began_at() {
    let body = sample();
    let below = "t.root t.a t.outer t.hollow t.b t.c t.d";
    check(&body, body.walk_all(), &format!("{below} t.other"));
    check(&body, body.walk(find(&body, "t.root")), below);
    check(&body, body.walk(find(&body, "t.outer")), "t.outer t.hollow t.b");
    check(&body, body.walk(find(&body, "t.hollow")), "t.hollow");
    check(&body, body.walk(find(&body, "t.a")), "t.a");
    check(&Body::new(), Body::new().walk_all(), "");
}

#[test]
fn a_detached_op_is_walked_alone() {
    let mut body = sample();
    let outer = find(&body, "t.outer");
    body.detach(outer);
    check(&body, body.walk(outer), "t.outer t.hollow t.b");
    check(&body, body.walk_all(), "t.root t.a t.c t.d t.other");
}

#[test]
fn uses_below_an_op_become_the_newest_in_layout_order() {
    let mut body = sample();
    let top = body.top_block();
    let ty = tegula_ir::Type::index();
    let def = body.insert(InsertPoint::Start(top), NewOp::new("t.def").result(ty));
    let value = body.result(def, 0);
    for name in ["t.d", "t.a", "t.other", "t.b"] {
        let user = find(&body, name);
        body.set_operands(user, &[value]);
    }
    check(&body, body.users(value), "t.b t.other t.a t.d");
    let root = find(&body, "t.root");
    body.order_uses_below(root);
    check(&body, body.users(value), "t.d t.b t.a t.other");
    body.order_uses();
    check(&body, body.users(value), "t.other t.d t.b t.a");
}
