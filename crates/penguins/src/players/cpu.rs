//! The extensions of the processor, besides the instructions that the program is built for.

#[cfg(target_arch = "x86_64")]
use fearless_simd::{Avx2, Level, Simd};

/// The extensions of this processor that the search uses.
#[derive(Clone, Copy, Debug)]
pub struct Cpu {
    /// AVX2, and with it the other extensions of x86-64-v3: BMI, LZCNT.
    #[cfg(target_arch = "x86_64")]
    avx2: Option<Avx2>,
}

impl Cpu {
    /// Returns the extensions of the processor that runs the program.
    #[must_use]
    pub fn detect() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            avx2: Level::new().as_avx2(),
        }
    }

    /// Runs `work`, which is compiled twice: for all processors, and with these extensions.
    ///
    /// The second copy contains only what is inlined into it, so `work` and what it calls need `inline(always)`.
    #[inline(always)]
    pub fn run<T>(self, work: impl FnOnce() -> T) -> T {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = self.avx2 {
            return avx2.vectorize(work);
        }
        work()
    }
}
