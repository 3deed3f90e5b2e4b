/// Coordinates in tenths of a pixel: finer is not seen, and whole numbers print the same everywhere.
enum Coordinate {
  static func tenths(_ value: Double) -> Int {
    guard value.isFinite else { return 0 }
    return Int((max(-100_000, min(100_000, value)) * 10).rounded())
  }

  static func text(_ value: Double) -> String {
    text(tenths: tenths(value))
  }

  static func text(tenths: Int) -> String {
    let (whole, part) = abs(tenths).quotientAndRemainder(dividingBy: 10)
    let sign = tenths < 0 ? "-" : ""
    return part == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(part)"
  }
}
