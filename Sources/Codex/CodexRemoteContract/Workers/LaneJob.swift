package import ResolveKitCore

/// A request that has its place among a worker's others.
package struct LaneJob: Sendable {
  private let desk: LaneDesk
  private let requestID: String
  private let call: Result<LaneCall, LaneRefusal>
  /// Nil where there was none.
  private let place: LanePlaces.Place?

  init(_ request: LaneRequest, _ call: Result<LaneCall, LaneRefusal>, at place: LanePlaces.Place?, of desk: LaneDesk) {
    self.desk = desk
    requestID = request.id
    self.call = call
    self.place = place
  }

  /// Performs it when its turn has come, once. Returns the answer; throws ``LaneRefusal``, what the lane throws, and
  /// `CancellationError`.
  package func perform() async throws -> JSONValue {
    defer { place?.leave() }
    let call = try call.get()
    guard let place else {
      throw LaneRefusal(
        .workerUnavailable,
        "\(LaneOrder.maximumEntries) requests are under way, which is the most; ask again when some have ended.",
        isRetryable: true)
    }
    if case .turnInterrupt(let thread, nil) = call, !place.isBegun { return try await interrupt(thread, place) }
    try await place.begin()
    return try await desk.perform(call, requestID: requestID)
  }

  /// Interrupts what runs, before the earlier requests have ended, and then what they have begun: those who ask for an end
  /// and name no turn mean all that was asked for before.
  private func interrupt(_ thread: String?, _ place: LanePlaces.Place) async throws -> JSONValue {
    // Where it fails, it is tried again in its place, and that one is answered.
    let first = try? await desk.interrupt(thread, nil)
    try await place.begin()
    guard first == true else { return ["interrupted": .bool(try await desk.interrupt(thread, nil))] }
    _ = try? await desk.interrupt(thread, nil)
    return ["interrupted": true]
  }
}
