//! Bit sets written as bytes.

/// For each byte, its bits as eight bytes of 0 or 1, the lowest first.
static BYTES_OF: [u64; 256] = {
    let mut table = [0_u64; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= ((byte >> bit & 1) as u64) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Returns the bits of a byte as eight bytes of 0 or 1.
#[inline]
pub fn expand_byte(byte: u8) -> u64 {
    BYTES_OF[usize::from(byte)]
}

/// Writes words as one byte for each bit.
///
/// The last bits of the last word may be left out.
#[inline]
pub fn expand(words: &[u64], bytes: &mut [u8]) {
    for (word, bytes) in words.iter().zip(bytes.chunks_mut(64)) {
        let (chunks, rest) = bytes.as_chunks_mut::<8>();
        let mut word = word.to_le_bytes().into_iter();
        for (chunk, byte) in chunks.iter_mut().zip(word.by_ref()) {
            *chunk = expand_byte(byte).to_le_bytes();
        }
        if let Some(last) = word.next() {
            rest.copy_from_slice(&expand_byte(last).to_le_bytes()[..rest.len()]);
        }
    }
}
