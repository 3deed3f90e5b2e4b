import CodexAppServer
import ResolveKitCore
import TestSupport
import Testing

/// Scripts in virtual time: what happens, and what is to be done.
struct AppServerCallsTests {
  private typealias Action = AppServerCalls.Action

  private var generator = SeededGenerator(seed: 7)
  private let overloaded = AppServerRefusal(code: -32001, message: "Server overloaded; retry later.")

  private static func limits(open: Int = 2, waiting: Int = 3) -> AppServerLimits {
    var limits = AppServerLimits()
    limits.openCalls = open
    limits.waitingCalls = waiting
    return limits
  }

  private func send(_ id: Int, _ method: String) -> Action { .send(id: id, method: method, params: [:]) }

  private func error(_ actions: [Action]) -> [AppServerError.Code] {
    actions.compactMap { if case .finish(_, .failure(let error)) = $0 { error.code } else { nil } }
  }

  @Test mutating func answersComeInAnyOrder() {
    var calls = AppServerCalls(limits: Self.limits())
    #expect(calls.add(10, "a", [:], within: .seconds(5), now: .zero) == [send(1, "a")])
    #expect(calls.add(11, "b", [:], within: .seconds(5), now: .zero) == [send(2, "b")])
    #expect(calls.add(12, "c", [:], within: .seconds(5), now: .zero) == [])
    #expect(
      calls.received(.success(2), for: .integer(2), now: .zero, using: &generator)
        == [.finish(11, .success(2)), send(3, "c")])
    #expect(calls.received(.success(3), for: .integer(3), now: .zero, using: &generator) == [.finish(12, .success(3))])
    #expect(calls.received(.success(1), for: .integer(1), now: .zero, using: &generator) == [.finish(10, .success(1))])
    #expect(calls.deadline == nil)
    #expect(!calls.hasOpen)
  }

  @Test mutating func answersWithoutARequestAreCounted() {
    var calls = AppServerCalls(limits: Self.limits())
    _ = calls.add(1, "a", [:], within: .seconds(5), now: .zero)
    let ids: [AppServerID?] = [nil, .string("1"), .integer(0), .integer(2), .integer(.min), .integer(.max)]
    for id in ids {
      #expect(calls.received(.success(1), for: id, now: .zero, using: &generator) == [])
      #expect(calls.received(.failure(overloaded), for: id, now: .zero, using: &generator) == [])
    }
    #expect(calls.unmatchedAnswers == 2 * ids.count)
    #expect(calls.received(.success(1), for: .integer(1), now: .zero, using: &generator) == [.finish(1, .success(1))])
    #expect(calls.received(.success(1), for: .integer(1), now: .zero, using: &generator) == [])
  }

  @Test mutating func aCallEndsWithItsTime() {
    var calls = AppServerCalls(limits: Self.limits(open: 1))
    _ = calls.add(1, "a", [:], within: .seconds(5), now: .seconds(100))
    _ = calls.add(2, "b", [:], within: .seconds(9), now: .seconds(100))
    #expect(calls.deadline == .seconds(105))
    #expect(calls.timePassed(now: .seconds(104)) == [])
    let actions = calls.timePassed(now: .seconds(105))
    #expect(error(actions) == [.timedOut])
    #expect(actions.last == send(2, "b"))
    // The late answer of the first one.
    #expect(calls.received(.success(1), for: .integer(1), now: .seconds(106), using: &generator) == [])
    #expect(
      calls.received(.success(2), for: .integer(2), now: .seconds(106), using: &generator) == [.finish(2, .success(2))])
  }

  @Test mutating func aCallThatWaitsEndsWithItsTimeToo() {
    var calls = AppServerCalls(limits: Self.limits(open: 1))
    _ = calls.add(1, "a", [:], within: .seconds(9), now: .zero)
    _ = calls.add(2, "b", [:], within: .seconds(5), now: .zero)
    #expect(error(calls.timePassed(now: .seconds(5))) == [.timedOut])
    #expect(calls.received(.success(1), for: .integer(1), now: .zero, using: &generator) == [.finish(1, .success(1))])
  }

  @Test mutating func noMoreWaitThanMay() {
    var calls = AppServerCalls(limits: Self.limits())
    for number in 1...5 { #expect(error(calls.add(UInt64(number), "a", [:], within: .seconds(5), now: .zero)) == []) }
    #expect(error(calls.add(6, "a", [:], within: .seconds(5), now: .zero)) == [.tooManyCalls])
    // Of those that were refused for now, none makes room.
    #expect(calls.received(.failure(overloaded), for: .integer(1), now: .zero, using: &generator) == [send(3, "a")])
    #expect(error(calls.add(7, "a", [:], within: .seconds(5), now: .zero)) == [.tooManyCalls])
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  mutating func anOverloadedCodexIsAskedAgainLaterAndLater(seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    var limits = Self.limits()
    limits.attempts = 5
    limits.longestWait = .milliseconds(400)
    var calls = AppServerCalls(limits: limits)
    var now = Duration.zero
    #expect(calls.add(1, "a", [:], within: .seconds(60), now: now) == [send(1, "a")])
    for (attempt, longest) in [100, 200, 400, 400].enumerated() {
      #expect(calls.received(.failure(overloaded), for: .integer(attempt + 1), now: now, using: &generator) == [])
      #expect(!calls.hasOpen)
      let wake = try #require(calls.deadline)
      let wait = wake - now
      #expect(wait >= .milliseconds(longest) / 2 && wait <= .milliseconds(longest), "seed \(seed), attempt \(attempt)")
      #expect(calls.timePassed(now: wake - .nanoseconds(1)) == [])
      now = wake
      #expect(calls.timePassed(now: now) == [send(attempt + 2, "a")])
    }
    let last = calls.received(.failure(overloaded), for: .integer(5), now: now, using: &generator)
    #expect(error(last) == [.refused(overloaded)])
  }

  @Test mutating func noWaitGoesBeyondTheCallsTime() {
    var calls = AppServerCalls(limits: Self.limits())
    _ = calls.add(1, "a", [:], within: .milliseconds(40), now: .zero)
    #expect(
      error(calls.received(.failure(overloaded), for: .integer(1), now: .zero, using: &generator))
        == [.refused(overloaded)])
  }

  @Test mutating func anyOtherErrorEndsTheCall() {
    var calls = AppServerCalls(limits: Self.limits())
    _ = calls.add(1, "a", [:], within: .seconds(5), now: .zero)
    let refusal = AppServerRefusal(code: -32600, message: "thread not found\u{1B}[2J")
    let actions = calls.received(.failure(refusal), for: .integer(1), now: .zero, using: &generator)
    #expect(error(actions) == [.refused(refusal)])
    if case .finish(_, .failure(let error))? = actions.first { #expect(!error.message.contains("\u{1B}")) }
  }

  @Test mutating func aCancelledCallKeepsItsPlaceUntilItsAnswer() {
    var calls = AppServerCalls(limits: Self.limits(open: 1))
    _ = calls.add(1, "a", [:], within: .seconds(5), now: .zero)
    _ = calls.add(2, "b", [:], within: .seconds(50), now: .zero)
    calls.cancel(1)
    calls.cancel(1)
    calls.cancel(99)
    #expect(calls.hasOpen)
    #expect(calls.received(.success(1), for: .integer(1), now: .zero, using: &generator) == [send(2, "b")])
    // The other one's answer never comes; its place is free when its time is over.
    calls.cancel(2)
    _ = calls.add(3, "c", [:], within: .seconds(99), now: .zero)
    #expect(calls.timePassed(now: .seconds(50)) == [send(3, "c")])
  }

  @Test mutating func aCancelledCallThatWaitsIsNotSent() {
    var calls = AppServerCalls(limits: Self.limits(open: 1))
    _ = calls.add(1, "a", [:], within: .seconds(5), now: .zero)
    _ = calls.add(2, "b", [:], within: .seconds(5), now: .zero)
    calls.cancel(2)
    #expect(calls.received(.failure(overloaded), for: .integer(1), now: .zero, using: &generator) == [])
    calls.cancel(1)
    #expect(calls.deadline == nil)
  }

  @Test mutating func theEndEndsAll() {
    var calls = AppServerCalls(limits: Self.limits(open: 2))
    for number in 1...4 { _ = calls.add(UInt64(number), "a", [:], within: .seconds(5), now: .zero) }
    calls.cancel(2)
    let lost = AppServerError(.connectionLost, "gone")
    #expect(calls.finish(lost) == [1, 3, 4].map { .finish($0, .failure(lost)) })
    #expect(calls.finish(AppServerError(.closed, "closed")) == [])
    #expect(calls.add(5, "a", [:], within: .seconds(5), now: .zero) == [.finish(5, .failure(lost))])
    #expect(calls.deadline == nil)
    #expect(calls.received(.success(1), for: .integer(1), now: .zero, using: &generator) == [])
  }

  @Test mutating func oddTimesTrapNothing() {
    var calls = AppServerCalls(limits: Self.limits(open: 9))
    for (number, time) in ([.zero, .seconds(-1), .seconds(Int64.max), .nanoseconds(1)] as [Duration]).enumerated() {
      _ = calls.add(UInt64(number), "a", [:], within: time, now: .seconds(1))
    }
    #expect(error(calls.timePassed(now: .seconds(1))).count == 2)
    #expect(error(calls.timePassed(now: .seconds(2))).count == 1)
  }

  /// Whatever happens: never more open than may be, each call finished once.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func whateverHappensEachCallEndsOnce(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var calls = AppServerCalls(limits: Self.limits(open: 4, waiting: 20))
    var now = Duration.zero
    var open: Set<Int> = []
    var finished: Set<UInt64> = []
    var cancelled: Set<UInt64> = []
    var made: UInt64 = 0
    func take(_ actions: [Action]) {
      for action in actions {
        switch action {
        case .send(let id, _, _): #expect(open.insert(id).inserted, "seed \(seed)")
        case .finish(let number, _): #expect(finished.insert(number).inserted, "seed \(seed): \(number)")
        }
      }
    }
    for _ in 0..<2_000 {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0, 1:
        made += 1
        let time = Duration.milliseconds(Int.random(in: 0..<2_000, using: &generator))
        take(calls.add(made, "a", [:], within: time, now: now))
      case 2:
        if let id = open.randomElement(using: &generator) {
          open.remove(id)
          take(calls.received(.success(1), for: .integer(id), now: now, using: &generator))
        }
      case 3:
        if let id = open.randomElement(using: &generator) {
          open.remove(id)
          take(calls.received(.failure(overloaded), for: .integer(id), now: now, using: &generator))
        }
      case 4:
        if made > 0 {
          let number = UInt64.random(in: 1...made, using: &generator)
          calls.cancel(number)
          if !finished.contains(number) { cancelled.insert(number) }
        }
      default:
        now += .milliseconds(Int.random(in: 0..<300, using: &generator))
        take(calls.timePassed(now: now))
      }
      if let deadline = calls.deadline { #expect(deadline > now - .seconds(3)) }
    }
    take(calls.finish(AppServerError(.closed, "closed")))
    #expect(finished.isDisjoint(with: cancelled), "seed \(seed)")
    #expect(finished.union(cancelled).count == Int(made), "seed \(seed)")
  }
}
