/// The end of an event stream, whatever happens in its chat: its device is revoked, its chat may not be seen any
/// more, its access token has expired. The client comes back with its cursor, and the token that it has by then.
struct StreamTerm: Sendable {
  /// The time by which a stream outlives the token that it was opened with: a device renews its token when a request is
  /// refused, and need not look at the clock for the sake of a stream.
  static let grace = Duration.seconds(60)

  /// Each ends, without an element, when the stream has to.
  let endings: [AsyncStream<Never>]
  /// The remaining lifetime of the access token; nil for one that does not expire.
  let tokenLife: Duration?

  /// Returns once the stream has to end, or the task is cancelled.
  func end(_ clock: any Clock<Duration>) async {
    await withTaskGroup { group in
      for ending in endings { group.addTask { for await _ in ending {} } }
      if let tokenLife {
        group.addTask { try? await clock.sleep(for: max(.zero, tokenLife) + Self.grace) }
      }
      await group.next()
      group.cancelAll()
    }
  }
}
