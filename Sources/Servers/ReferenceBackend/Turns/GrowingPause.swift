/// The pauses between looks for what another process is about to do: short at first, for it is mostly a matter of a few
/// transactions, then longer and longer.
package struct GrowingPause: Sendable {
  private static let longest = Duration.milliseconds(50)

  private var pause = Duration.milliseconds(2)

  package init() {}

  /// The next pause.
  package mutating func next() -> Duration {
    defer { pause = min(pause * 2, Self.longest) }
    return pause
  }
}
