import HTTP3Engine
import LinkModel
import TestSupport

/// A stream of small events with repeats beside it, over a link that loses some of what the server sends.
struct RepeatedStream {
  let pair: QUICPair
  let stream: TickingStream

  /// - Parameter loss: the share of the server's packets that is lost.
  init(
    seed: UInt64 = 1, loss: Double = 0, client: RepeatConfiguration? = RepeatConfiguration(responses: .all),
    server: RepeatConfiguration? = RepeatConfiguration(responses: .all, isAdaptive: false),
    change: (inout LinkConditions) -> Void = { _ in }
  ) throws {
    var conditions = LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 25))
    conditions.toClient.loss = loss == 0 ? .none : .bernoulli(rate: loss, longestBurst: nil)
    change(&conditions)
    pair = try QUICPair.make(
      seed: seed, conditions: conditions, clientLimits: { $0.repeats = client },
      server: { $0.connection.repeats = server })
    stream = TickingStream(on: pair)
    try stream.open()
  }

  var server: HTTP3Connection? { pair.server.newestConnection.flatMap { pair.server.connection($0) } }

  /// The lateness of each event beyond what the link needs, in milliseconds, in order of size.
  var lateness: [Double] {
    zip(stream.sendTimes, stream.arrivalTimes).map {
      Double(($1 - $0).nanosecondsClamped) / 1e6 - 25
    }.sorted()
  }

  func share(laterThan milliseconds: Double) -> Double {
    Double(lateness.count { $0 > milliseconds }) / Double(max(lateness.count, 1))
  }
}
