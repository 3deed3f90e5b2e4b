import TestSupport
import Testing

@testable import ResolveKitCore

/// Messages beside a turn that still runs, whatever happens on the way: none is dropped, none becomes two.
struct HeldMessageSimulationTests {
  private typealias Passage = SimulatedChat.Passage

  enum Restart: CaseIterable {
    case none
    case stop
    case kill
  }

  /// A chat whose first turn was cancelled, and runs on at the backend for so many milliseconds.
  private func chat(earlierTurnFor milliseconds: Int) -> SimulatedChat {
    let chat = SimulatedChat()
    chat.run(for: 1)
    chat.onTurn = { chat, turn in
      let runs = turn.message.text == "one" ? milliseconds : 3_000
      chat.after(runs) { $0.endTurn() }
    }
    chat.send("one")
    chat.run { !$0.backend.turns.isEmpty && $0.machine.turnRequestID != nil }
    chat.cancel()
    return chat
  }

  /// Takes the message up until it has its answer, as a person does who types `/retry`.
  private func insist(_ chat: SimulatedChat, _ label: Comment) {
    chat.run { $0.results.last?.status == .complete }
    for _ in 0..<6 where chat.results.last?.status != .complete {
      #expect(chat.retry(), label)
      chat.run { $0.results.last?.status == .complete }
    }
  }

  private func check(_ chat: SimulatedChat, _ label: Comment) {
    #expect(chat.count("two") == 1, label)
    #expect(chat.results.last?.status == .complete, label)
    #expect(chat.results.last?.text == ScriptedBackend.answer(to: "two"), label)
    #expect(chat.image.transcript.count { $0.role == .user && $0.text == "two" } == 1, label)
    #expect(chat.machine.left == nil && chat.image.left == nil, label)
  }

  @Test(
    "Invariant 12: errors in every order, beside an earlier turn that ends early or late",
    arguments: Restart.allCases, [45, 2_500, 40_000])
  func everyOrder(restart: Restart, earlierTurn: Int) {
    for first in Passage.allCases {
      for second in Passage.allCases {
        for third in Passage.allCases {
          let label: Comment =
            "\(first), \(second), \(third), \(restart), the earlier turn ends after \(earlierTurn) ms"
          let chat = chat(earlierTurnFor: earlierTurn)
          var passages = [third, second, first]
          chat.nextPassage = { passages.popLast() ?? .answered }
          chat.send("two")
          if restart != .none { chat.after(2_200) { $0.restart(isKilled: restart == .kill) } }
          chat.run(for: 5)
          insist(chat, label)
          check(chat, label)
        }
      }
    }
  }

  @Test(arguments: Passage.allCases)
  func anErrorForAMinuteDropsNothing(passage: SimulatedChat.Passage) {
    let chat = chat(earlierTurnFor: 120_000)
    chat.send("two")
    chat.run(for: 2)
    #expect(chat.deliveries == [.held])
    let end = chat.now.advanced(bySeconds: 60)
    chat.nextPassage = { [unowned chat] in chat.now < end ? passage : .answered }
    chat.run { $0.results.last?.status == .complete }
    check(chat, "\(passage)")
    #expect(chat.deliveries == [.held], "it is reported once")
    #expect(chat.results.count == 2, "no retry is needed")
  }

  /// The backend forgets a message's id after ten minutes; a person who retries later gets no second turn.
  @Test(arguments: [1, 60, 700, 5_000])
  func aRetryIsNoSecondMessage(seconds: Int) {
    for passage in Passage.allCases where passage != .answered {
      let chat = chat(earlierTurnFor: 0)
      chat.run(for: 1)
      chat.nextPassage = { passage }
      chat.send("two")
      chat.run(for: 300) { !$0.machine.isTurnInProgress }
      let label: Comment = "\(passage), \(seconds) s"
      chat.nextPassage = { .answered }
      chat.run(for: seconds)
      if chat.machine.left != nil || chat.machine.isTurnInProgress { insist(chat, label) }
      #expect(chat.count("two") == 1, label)
    }
  }

  @Test("Invariant 12: random conversations") func randomConversations() {
    var deliveries: [ResolveKitMessageDelivery] = []
    for seed in 1...400 as ClosedRange<UInt64> { deliveries += converse(seed: seed) }
    // The noise must reach what it is meant to test.
    for delivery in [ResolveKitMessageDelivery.held, .unknown, .notSent] {
      #expect(deliveries.count { $0 == delivery } > 10, "\(delivery)")
    }
  }

  private func converse(seed: UInt64) -> [ResolveKitMessageDelivery] {
    var random = SeededGenerator(seed: seed)
    let chat = SimulatedChat()
    var stormEnds: MonotonicNanoseconds = 0
    chat.nextPassage = { [unowned chat] in
      let isFaulty = random.chance(chat.now < stormEnds ? 0.95 : 0.05)
      return isFaulty ? Passage.allCases.randomElement(using: &random) ?? .answered : .answered
    }
    chat.latency = { (Int.random(in: 1...400, using: &random), Int.random(in: 1...400, using: &random)) }
    chat.onTurn = { chat, _ in
      let long = random.chance(0.2)
      chat.after(Int.random(in: 1...(long ? 400_000 : 4_000), using: &random)) { $0.endTurn() }
    }
    chat.run(for: 1)
    for number in 1...5 {
      if random.chance(0.5) {
        chat.send("aside \(number)")
        chat.run(for: Int.random(in: 0...2, using: &random))
        chat.cancel()
      }
      if random.chance(0.7) {
        stormEnds = chat.now.advanced(bySeconds: Int.random(in: 1...90, using: &random))
      }
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let when = Int.random(in: 1...(random.chance(0.5) ? 2_000 : 30_000), using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: chat.after(when) { $0.restart(isKilled: true) }
        case 1: chat.after(when) { $0.restart(isKilled: false) }
        default: chat.after(when) { $0.cut(for: when % 7_000 + 1) }
        }
      }
      // Drawn here: a chat draws from the same generator while it runs.
      let pauses = (0..<40).map { Int.random(in: 0...($0.isMultiple(of: 4) ? 900 : 20), using: &random) }
      send("message \(number)", over: chat, pauses: pauses, "seed \(seed)")
    }
    for turn in chat.backend.turns { #expect(chat.count(turn.message.text) == 1, "seed \(seed) \(turn.message)") }
    return chat.deliveries
  }

  /// Sends a message, and takes it up again and again, sooner or later, until it has its answer.
  private func send(_ text: String, over chat: SimulatedChat, pauses: [Int], _ label: Comment) {
    chat.send(text)
    chat.run { !$0.machine.isTurnInProgress }
    for pause in pauses {
      guard let left = chat.machine.left else { break }
      chat.run(for: pause)
      if chat.machine.left?.arrival == left.arrival { #expect(chat.retry(), label) }
      chat.run { !$0.machine.isTurnInProgress }
    }
    #expect(!chat.machine.isTurnInProgress && chat.machine.left == nil, label)
    #expect(chat.count(text) == 1, label)
    #expect(chat.image.transcript.count { $0.role == .user && $0.text == text } == 1, label)
  }
}

extension SimulatedChat {
  /// The number of turns that the backend has begun with these words.
  fileprivate func count(_ text: String) -> Int { backend.turns.count { $0.message.text == text } }
}
