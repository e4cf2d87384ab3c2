//! How devices are connected, as the module says it in `stream.topology`.

use tegula_ir::Attr;
use tegula_pass::Header;

/// The links between devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Topology(Option<&'static [Attr]>);

impl Topology {
    /// What a module says.
    pub(super) fn of(header: &Header) -> Topology {
        let topology = header.attr("stream.topology");
        let params = topology.and_then(|topology| topology.dialect_params("hal.device.topology"));
        Topology(params.and_then(|params| params.first()?.as_array()))
    }

    /// Whether the module says how devices are connected.
    pub(super) fn is_known(self) -> bool {
        self.0.is_some()
    }

    /// Whether what lies on one device can be used on another as it is; none where the module does
    /// not say how devices are connected.
    pub(super) fn shares(self, source: Attr, target: Attr) -> Option<bool> {
        let links = self.0?;
        let (Some(source), Some(target)) = (device(source), device(target)) else {
            return Some(false);
        };
        if source == target {
            return Some(true);
        }
        let link = links.iter().find_map(|link| {
            let params = link.dialect_params("hal.device.link")?;
            (params.get(..2)? == [source, target]).then_some(params)
        });
        let holds = |param: &Attr| param.as_bool() == Some(true);
        Some(link.is_some_and(|params| params.iter().skip(2).take(2).any(holds)))
    }
}

/// The device of an affinity.
fn device(affinity: Attr) -> Option<Attr> {
    let of = |name| affinity.dialect_params(name)?.first().copied();
    of("hal.device.affinity").or_else(|| of("hal.device.promise"))
}
