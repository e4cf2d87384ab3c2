//! The iteration space of named convolutions, which their names spell: `conv_2d_nhwc_hwcf` slides a
//! filter laid out as `hwcf` over an input laid out as `nhwc`.

use tegula_ir::{AffineExpr, AffineMap, AttrData, Body, DenseData, OpId};

use crate::structure::Structure;

/// The convolutions that the dialect has.
pub(crate) const CONVOLUTIONS: &[&str] = &[
    "linalg.conv_1d_nwc_wcf",
    "linalg.conv_1d_ncw_fcw",
    "linalg.conv_2d_nhwc_hwcf",
    "linalg.conv_2d_nhwc_fhwc",
    "linalg.conv_2d_nchw_fchw",
    "linalg.conv_3d_ndhwc_dhwcf",
    "linalg.conv_3d_ncdhw_fcdhw",
    "linalg.depthwise_conv_2d_nhwc_hwc",
    "linalg.depthwise_conv_2d_nchw_chw",
];

/// Whether the op of that name slides a filter over an input.
pub fn is_convolution(name: &str) -> bool {
    CONVOLUTIONS.contains(&name)
}

/// The letters that stand for a position in space.
const SPACE: &str = "dhw";

/// The layouts in a name: of the input, and of the filter.
fn layouts(name: &str) -> Option<(&str, &str)> {
    let (_, layouts) = name.split_once("conv_")?;
    let (_, layouts) = layouts.split_once('_')?;
    layouts.split_once('_')
}

/// The loops of a convolution: over the result, then over what is summed up. Letters of the result
/// are small, those of the filter's window and channels large.
fn loops(input: &str, filter: &str, depthwise: bool) -> String {
    if depthwise {
        let space = || input.chars().filter(|&c| SPACE.contains(c));
        return ["n".to_owned(), space().collect(), "c".to_owned(), window(filter)].concat();
    }
    output(input, false) + &window(filter)
}

/// The layout of the result.
fn output(input: &str, depthwise: bool) -> String {
    if depthwise { input.to_owned() } else { input.replace('c', "f") }
}

/// What is summed up.
fn window(filter: &str) -> String {
    let depthwise = !filter.contains('f');
    let summed = filter.chars().filter(|&c| SPACE.contains(c) || (c == 'c' && !depthwise));
    summed.collect::<String>().to_ascii_uppercase()
}

/// The numbers of an attribute that says one for each dimension of space.
fn steps(body: &Body, op: OpId, name: &str, count: usize) -> Option<Vec<i64>> {
    let Some(attr) = body.attr(op, name) else { return Some(vec![1; count]) };
    let AttrData::Dense { ty, data } = attr.data() else { return None };
    let (bytes, repeat) = match data {
        DenseData::Splat(bytes) => (&bytes[..], count),
        DenseData::Bytes(bytes) => (&bytes[..], 1),
    };
    let number = |bytes: &[u8]| Some(i64::from_le_bytes(bytes.try_into().ok()?));
    let values: Option<Vec<i64>> = bytes.chunks(size_of::<i64>()).map(number).collect();
    let values = values?.repeat(repeat);
    let fits = ty.element_or_self().is_int(64) && values.len() == count;
    fits.then_some(values)
}

/// The iteration space of a named convolution; none of other ops.
pub(crate) fn convolution(body: &Body, op: OpId) -> Option<Structure> {
    let name = body.name(op).as_str();
    let (input, filter) = layouts(name).filter(|_| is_convolution(name))?;
    let depthwise = name.contains("depthwise");
    let loops = loops(input, filter, depthwise);
    let dim = |letter: char| Some(AffineExpr::dim(loops.find(letter)? as u32));
    let space: Vec<char> = input.chars().filter(|&c| SPACE.contains(c)).collect();
    let strides = steps(body, op, "strides", space.len())?;
    let dilations = steps(body, op, "dilations", space.len())?;
    let of_input = |letter: char| match space.iter().position(|&c| c == letter) {
        Some(at) => {
            let place = dim(letter)?.mul(AffineExpr::constant(strides[at]));
            let offset = dim(letter.to_ascii_uppercase())?.mul(AffineExpr::constant(dilations[at]));
            Some(place.add(offset))
        }
        None if letter == 'c' && !depthwise => dim('C'),
        None => dim(letter),
    };
    let of_filter = |letter: char| match letter {
        'f' => dim('f'),
        'c' if depthwise => dim('c'),
        _ => dim(letter.to_ascii_uppercase()),
    };
    let map =
        |results: Option<Vec<AffineExpr>>| Some(AffineMap::get(loops.len() as u32, 0, &results?));
    let maps = vec![
        map(input.chars().map(of_input).collect())?,
        map(filter.chars().map(of_filter).collect())?,
        map(output(input, depthwise).chars().map(dim).collect())?,
    ];
    let parallel = loops.chars().map(|c| c.is_ascii_lowercase()).collect();
    Some(Structure { maps, parallel })
}
