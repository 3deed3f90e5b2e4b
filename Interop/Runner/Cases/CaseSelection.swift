/// Which cases a command line means.
enum CaseSelection {
  /// Run where nothing is asked for: all tests and the goodput; the cross traffic takes four minutes a pair.
  static let usual = PublicCases.tests + PublicCases.measurements.filter { !$0.hasCrossTraffic }
  /// With the project's own, of event streams.
  static let known = PublicCases.all + StreamingCases.matrix
  static let smoke = ["H", "DC", "3", "S", "R", "Z", "B"]

  /// Letters or names, separated by commas or spaces, in the table's order; `all` is every public one, `usual` the default,
  /// `streams` the project's own.
  static func cases(_ text: String?, isSmoke: Bool) throws(SelectionError) -> [InteropCase] {
    guard let text else {
      return isSmoke ? PublicCases.all.filter { smoke.contains($0.abbreviation) } : usual
    }
    var wanted: Set<String> = []
    for word in text.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init) {
      switch word {
      case "all": wanted.formUnion(PublicCases.all.map(\.name))
      case "streams": wanted.formUnion(StreamingCases.matrix.map(\.name))
      case "usual": wanted.formUnion(usual.map(\.name))
      case _:
        guard let found = known.first(where: { $0.name == word || $0.abbreviation == word }) else {
          throw SelectionError(
            "'\(word)' is no case; they are \(known.map(\.abbreviation).joined(separator: " ")), 'usual', 'streams' and "
              + "'all' (--list explains them).")
        }
        wanted.insert(found.name)
      }
    }
    guard !wanted.isEmpty else { throw SelectionError("--cases names none; leave it out for the usual ones.") }
    return known.filter { wanted.contains($0.name) }
  }
}

/// A command line that means nothing here.
struct SelectionError: Error, Hashable, Sendable, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
