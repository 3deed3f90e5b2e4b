/// ln x of a positive, normal x, to about 1 part in 10¹⁵; 0 for any other.
///
/// The module imports no C library, and the results of C libraries differ in the last bits, which would make a seed mean
/// another weather elsewhere. x = m · 2ᵉ with m in [√½, √2), and ln m = 2 artanh((m − 1) / (m + 1)) as a series.
func naturalLogarithm(_ x: Double) -> Double {
  guard x.isNormal, x > 0 else { return 0 }
  let ln2 = 0.693_147_180_559_945_309_4
  var mantissa = x.significand
  var exponent = Double(x.exponent)
  if mantissa > 1.414_213_562_373_095 {
    mantissa /= 2
    exponent += 1
  }
  let s = (mantissa - 1) / (mantissa + 1)
  let square = s * s
  // |s| < 0.1716, so the term of degree 23 is below 10⁻¹⁸.
  var sum = 0.0
  var divisor = 21.0
  while divisor > 0 {
    sum = sum * square + 1 / divisor
    divisor -= 2
  }
  return exponent * ln2 + 2 * s * sum
}
