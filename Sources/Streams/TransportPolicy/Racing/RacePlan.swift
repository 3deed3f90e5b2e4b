/// The beginning of a race: which of the two starts when.
package enum RacePlan: Hashable, Sendable {
  /// The first starts at once; the second after this time, or as soon as the first has failed.
  case headStart(Duration)
  /// The second starts at once, the first only where the second fails; for this reason.
  case firstHeldBack(reason: String)
  /// The second alone; the first takes no part, for this reason.
  case firstLeftOut(reason: String)

  /// The head start of a first racer whose connect times are not known: RFC 8305 § 5's delay between two attempts.
  package static let standard = RacePlan.headStart(.milliseconds(250))
}
