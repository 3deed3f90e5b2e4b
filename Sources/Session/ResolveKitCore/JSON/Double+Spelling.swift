extension Double {
  /// Whole numbers up to 2^64 are written with all their digits: servers validate integers by their spelling, and the
  /// bounds of a schema are exact only so. Negative zero is no integer.
  var spelledAsInteger: Int128? {
    guard let integer = Int128(exactly: self), integer.magnitude <= 1 << 64, integer != 0 || sign == .plus else {
      return nil
    }
    return integer
  }
}
