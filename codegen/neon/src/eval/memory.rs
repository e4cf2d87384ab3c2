//! Memory of the evaluator.

/// The memory of a run: regions that know their bounds.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    regions: Vec<Option<Vec<u8>>>,
}

/// A region of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region(u32);

/// Regions are this far apart, so that no sum of an address and an offset in one leads to another.
const DISTANCE_BITS: u32 = 40;

impl Region {
    /// The address of its first byte; never null, and a multiple of 4096.
    pub fn address(self) -> u64 {
        (u64::from(self.0) + 1) << DISTANCE_BITS
    }
}

impl Memory {
    /// Without regions.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Adds a region with these bytes.
    pub fn add(&mut self, bytes: Vec<u8>) -> Region {
        self.regions.push(Some(bytes));
        Region(self.regions.len() as u32 - 1)
    }

    /// Takes a region out and gives its bytes.
    pub fn take(&mut self, region: Region) -> Vec<u8> {
        self.regions.get_mut(region.0 as usize).and_then(Option::take).unwrap_or_default()
    }

    /// Takes out the region that starts at an address.
    pub(super) fn free(&mut self, address: u64) -> Result<(), String> {
        let (index, offset) = split(address);
        match self.regions.get_mut(index) {
            Some(region @ Some(_)) if offset == 0 => {
                *region = None;
                Ok(())
            }
            _ => Err(format!("frees {address:#x}, where nothing was allocated")),
        }
    }

    pub(super) fn load<const N: usize>(&self, address: u64) -> Result<[u8; N], String> {
        let (index, offset) = split(address);
        let bytes = self.regions.get(index).and_then(Option::as_ref);
        let bytes = bytes.and_then(|bytes| bytes.get(offset..)?.first_chunk());
        bytes.copied().ok_or_else(|| self.outside("reads", address, N))
    }

    pub(super) fn store<const N: usize>(
        &mut self,
        address: u64,
        value: [u8; N],
    ) -> Result<(), String> {
        let (index, offset) = split(address);
        let bytes = self.regions.get_mut(index).and_then(Option::as_mut);
        match bytes.and_then(|bytes| bytes.get_mut(offset..)?.first_chunk_mut()) {
            Some(bytes) => {
                *bytes = value;
                Ok(())
            }
            None => Err(self.outside("writes", address, N)),
        }
    }

    fn outside(&self, what: &str, address: u64, bytes: usize) -> String {
        let (index, offset) = split(address);
        match self.regions.get(index) {
            Some(Some(region)) => {
                let length = region.len();
                format!("{what} bytes {offset} to {offset}+{bytes} of a buffer of {length} bytes")
            }
            Some(None) => format!("{what} memory that was freed"),
            None => format!("{what} {bytes} bytes at {address:#x}, where no buffer is"),
        }
    }
}

fn split(address: u64) -> (usize, usize) {
    let index = (address >> DISTANCE_BITS).wrapping_sub(1);
    let offset = address & ((1 << DISTANCE_BITS) - 1);
    (usize::try_from(index).unwrap_or(usize::MAX), offset as usize)
}
