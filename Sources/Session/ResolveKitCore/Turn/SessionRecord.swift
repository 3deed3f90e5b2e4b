/// The session in use.
struct SessionRecord: Equatable, Sendable {
  let id: String
  var isReused: Bool
  var wasOpen = false
  /// Refusals of the stream since it was last open.
  var refusals = 0
  /// Refusals that pass by themselves, since it was last open.
  var passingRefusals = 0
  /// Events may be missing, so the history must be asked about the turn in flight.
  var hasGap = false

  init(id: String, isReused: Bool) {
    self.id = id
    self.isReused = isReused
  }
}
