import HTTP3Engine
import Testing

@testable import StreamTransport

/// The time limits of stalls, in virtual time: 1 s for headers, 2 s for bodies, 4 s for responses.
@Suite struct StallWatchTests {
  private typealias Progress = StallWatch.Progress

  private static let place = ExchangePlace(connection: ConnectionKey(rawValue: 3), stream: StreamID(8))

  private static func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: 1_000_000_000 + UInt64(seconds * 1e9))
  }

  /// A request that has begun at 0.
  private static func watch() -> StallWatch {
    var limits = HTTP3Limits()
    limits.headerTimeout = .seconds(1)
    limits.bodyTimeout = .seconds(2)
    limits.writeTimeout = .seconds(4)
    var watch = StallWatch(limits)
    watch.requestBegan(place, at: at(0))
    #expect(watch.takeHalfOpen(at: at(0)) == [place])
    return watch
  }

  /// A request that is complete, so that the response alone is watched.
  private static func responding() -> StallWatch {
    var watch = watch()
    watch.requestIsOver(place)
    #expect(drain(&watch, until: 1) { _ in Progress() }.isEmpty)
    return watch
  }

  /// Looks whenever one is due, until a time; answers what stands still and when.
  private static func drain(
    _ watch: inout StallWatch, until end: Double, _ progress: (Double) -> Progress
  ) -> [(StallWatch.Stall, Double)] {
    var found: [(StallWatch.Stall, Double)] = []
    while let due = watch.earliest, due <= at(end) {
      let second = Double(due.nanoseconds - at(0).nanoseconds) / 1e9
      while let place = watch.popDue(at: due) {
        if let stall = watch.look(at: place, progress(second), at: due) { found.append((stall, second)) }
      }
    }
    return found
  }

  private static func stalls(
    _ watch: inout StallWatch, until end: Double, _ progress: Progress = Progress()
  ) -> [String] {
    drain(&watch, until: end) { _ in progress }.map { "\($0.0) \($0.1)" }
  }

  @Test func aHeaderSectionHasItsTimeHoweverItComes() {
    var watch = Self.watch()
    #expect(Self.stalls(&watch, until: 1.5) == ["header 1.0"])
  }

  @Test func aRequestThatComesWholeIsNeverHalfOpen() {
    var watch = StallWatch(HTTP3Limits())
    watch.requestBegan(Self.place, at: Self.at(0))
    watch.requestGoesOn(Self.place, at: Self.at(0))
    watch.requestIsOver(Self.place)
    #expect(watch.takeHalfOpen(at: Self.at(0)).isEmpty)
    #expect(watch.earliest == nil)
    #expect(!watch.isHalfOpen(Self.place))
  }

  @Test func aBodyHasItsTimeFromItsLastByte() {
    var watch = Self.watch()
    watch.requestGoesOn(Self.place, at: Self.at(0.9))
    #expect(Self.stalls(&watch, until: 2).isEmpty)
    watch.requestGoesOn(Self.place, at: Self.at(2.5))
    #expect(Self.stalls(&watch, until: 4.4).isEmpty)
    #expect(Self.stalls(&watch, until: 5) == ["body 4.5"])
  }

  @Test func aHandlerThatDoesNotReadIsNotTheClientsFault() {
    var watch = Self.watch()
    watch.requestGoesOn(Self.place, at: Self.at(0))
    #expect(Self.stalls(&watch, until: 9, Progress(isHandlerBehind: true)).isEmpty)
    #expect(!Self.stalls(&watch, until: 12).isEmpty)
  }

  @Test func aCompleteRequestIsNotWatched() {
    var watch = Self.watch()
    watch.requestGoesOn(Self.place, at: Self.at(0.5))
    watch.requestIsOver(Self.place)
    #expect(Self.stalls(&watch, until: 60).isEmpty)
    #expect(watch.earliest == nil)
  }

  @Test func aResponseOfWhichNothingIsTakenStandsStill() {
    var watch = Self.responding()
    watch.responseWaits(Self.place, taken: 0, at: Self.at(1))
    #expect(Self.stalls(&watch, until: 6, Progress(taken: 0, isWaiting: true)) == ["response 5.0"])
    // And again, for as long as it does.
    #expect(Self.stalls(&watch, until: 10, Progress(taken: 0, isWaiting: true)) == ["response 9.0"])
  }

  /// A byte within each span of the limit is enough.
  @Test func aSlowReaderIsNoStall() {
    var watch = Self.responding()
    watch.responseWaits(Self.place, taken: 0, at: Self.at(1))
    #expect(Self.drain(&watch, until: 100) { Progress(taken: Int($0 / 3), isWaiting: true) }.isEmpty)
  }

  @Test func aStallIsNoticedAtMostHalfOfTheTimeLater() {
    var watch = Self.responding()
    watch.responseWaits(Self.place, taken: 0, at: Self.at(1))
    // The last byte is taken at 3.5 s, right after a look.
    let found = Self.drain(&watch, until: 20) { Progress(taken: $0 < 3.5 ? 0 : 1, isWaiting: true) }
    #expect((found.first?.1 ?? 0) >= 7.5 && (found.first?.1 ?? 99) <= 9.5)
  }

  @Test func silenceWithNothingToSendIsNoStall() {
    var watch = Self.responding()
    watch.responseWaits(Self.place, taken: 0, at: Self.at(1))
    #expect(Self.stalls(&watch, until: 60, Progress(taken: 10)).isEmpty)
    #expect(watch.earliest == nil)
    // The next event has the whole time.
    watch.responseWaits(Self.place, taken: 10, at: Self.at(100))
    #expect(Self.stalls(&watch, until: 106, Progress(taken: 10, isWaiting: true)) == ["response 104.0"])
  }

  /// While the client still sends its request, the response's end says nothing of the stream's.
  @Test func aFinishedResponseWaitsForItsStreamOnceTheRequestIsOver() {
    var watch = Self.watch()
    watch.requestGoesOn(Self.place, at: Self.at(0))
    watch.responseWaits(Self.place, taken: 5, at: Self.at(0))
    for second in 1...10 {
      watch.requestGoesOn(Self.place, at: Self.at(Double(second)))
      #expect(Self.stalls(&watch, until: Double(second), Progress(taken: 5, isFinished: true)).isEmpty)
    }
    watch.requestIsOver(Self.place)
    let found = Self.drain(&watch, until: 20) { _ in Progress(taken: 5, isFinished: true) }
    #expect(found.first?.0 == .response && (found.first?.1 ?? 0) >= 12)
  }

  @Test func whatIsClosedIsForgotten() {
    var watch = Self.watch()
    watch.responseWaits(Self.place, taken: 0, at: Self.at(0))
    watch.streamClosed(Self.place)
    #expect(watch.earliest == nil)
    watch = Self.watch()
    watch.connectionClosed(Self.place.connection)
    #expect(watch.earliest == nil)
    // A late fact brings nothing back.
    watch.requestIsOver(Self.place)
    watch.responseWaits(Self.place, taken: 0, at: Self.at(1))
    #expect(watch.earliest == nil)
  }

  /// Limits of no time, and of all time, neither keep the loop busy nor trap.
  @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.max)])
  func oddLimitsAreHarmless(_ limit: Duration) {
    var limits = HTTP3Limits()
    (limits.headerTimeout, limits.bodyTimeout, limits.writeTimeout) = (limit, limit, limit)
    var watch = StallWatch(limits)
    watch.requestBegan(Self.place, at: Self.at(0))
    _ = watch.takeHalfOpen(at: Self.at(0))
    watch.responseWaits(Self.place, taken: 0, at: Self.at(0))
    #expect(Self.stalls(&watch, until: 0).isEmpty)
    #expect(watch.earliest.map { $0 > Self.at(0) } == true)
  }
}
