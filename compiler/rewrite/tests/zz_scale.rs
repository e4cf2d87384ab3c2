mod common;
use common::*;
use tegula_rewrite::*;
#[test]
fn scale() {
    for n in [10_000usize, 20_000, 40_000] {
        let registry = registry(vec![]);
        let patterns = Patterns::new(&registry, RewriteHooks::new());
        let index = patterns.select(&["canonicalize"]);
        let mut b = Builder::new();
        let x = b.value("t.source", &[]);
        let mut v = x;
        for i in 0..n { let c = b.constant((i % 7) as i32); v = b.value("t.add", &[c, v]); }
        b.end("t.use", &[v], &[]);
        let t = std::time::Instant::now();
        let r = greedy(&registry, &patterns, &index, &mut b.body, b.func, GreedyConfig::default()).unwrap();
        eprintln!("{n}: {:?} {} {}", t.elapsed(), r.changed, r.converged);
    }
}
