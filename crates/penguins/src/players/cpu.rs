//! What the processor can do besides the instructions that the program is built for.

#[cfg(target_arch = "x86_64")]
use fearless_simd::{Avx2, Level, Simd};

/// The extensions of this processor that the search uses.
#[derive(Clone, Copy, Debug)]
pub struct Cpu {
    /// AVX2, and with it the instruction that counts bits.
    #[cfg(target_arch = "x86_64")]
    avx2: Option<Avx2>,
}

impl Cpu {
    /// The extensions of the processor that runs the program.
    #[must_use]
    pub fn detect() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            avx2: Level::new().as_avx2(),
        }
    }

    /// The result of `work`, compiled once for all processors and once with these extensions. Only functions that are inlined into
    /// `work` profit: they need `inline(always)`.
    #[inline(always)]
    pub fn run<T>(self, work: impl FnOnce() -> T) -> T {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = self.avx2 {
            return avx2.vectorize(work);
        }
        work()
    }
}
