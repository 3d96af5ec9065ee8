//! Softmax, the same on every platform.

/// Replaces scores by their softmax.
pub fn softmax(scores: &mut [f32]) {
    let max = scores.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for score in &mut *scores {
        *score = exp(*score - max);
        sum += *score;
    }
    for score in scores {
        *score /= sum;
    }
}

/// Returns the exponential of `x`, clamped to -80..80, with a relative error below 3e-6.
///
/// The result is the same on every platform, which `f32::exp` does not guarantee.
fn exp(x: f32) -> f32 {
    // exp(x) = 2^n exp(r) with |r| <= ln(2) / 2, for which a short Taylor series suffices.
    let log2 = x.clamp(-80.0, 80.0) * std::f32::consts::LOG2_E;
    #[expect(clippy::cast_possible_truncation, reason = "from -116 to 116")]
    let n = (log2 + if log2 < 0.0 { -0.5 } else { 0.5 }) as i32;
    #[expect(clippy::cast_precision_loss, reason = "from -116 to 116")]
    let r = (log2 - n as f32) * std::f32::consts::LN_2;
    let coefficients = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let series = coefficients.into_iter().fold(0.0, |sum, coefficient| sum * r + coefficient);
    #[expect(clippy::cast_sign_loss, reason = "above 0")]
    let power_of_two = f32::from_bits(((n + 127) as u32) << 23);
    series * power_of_two
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_accurate() {
        for x in (-2_000_i16..=2_000).map(|number| f32::from(number) / 100.0) {
            let expected = f64::from(x).exp();
            let error = (f64::from(exp(x)) - expected).abs() / expected;
            assert!(error < 3e-6, "exp({x}): {error}");
        }
        let bits = |x| exp(x).to_bits();
        assert_eq!((bits(0.0), bits(1_000.0), bits(-1_000.0)), (1.0_f32.to_bits(), bits(80.0), bits(-80.0)));
    }

    #[test]
    fn softmax_of_logarithms_is_proportional() {
        let mut shares = [0.0, 0.0, 2.0_f32.ln(), 50.0_f32.ln()];
        softmax(&mut shares);
        for (share, expected) in shares.into_iter().zip([1.0, 1.0, 2.0, 50.0]) {
            assert!((share - expected / 54.0).abs() < 1e-5, "{shares:?}");
        }
        // Only differences matter, however high the scores.
        let mut high = [1_000.0, 999.0, 998.0, 0.0];
        softmax(&mut high);
        let e = std::f32::consts::E;
        assert!((high[0] / high[1] - e).abs() < 1e-3 && (high[1] / high[2] - e).abs() < 1e-3, "{high:?}");
    }
}
