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
    #expect(chat.backend.turns.count { $0.message.text == "two" } == 1, label)
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
          let label: Comment = "\(first), \(second), \(third), \(restart), the earlier turn ends after \(earlierTurn) ms"
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
    #expect(chat.deliveries == [.held], "it is told once")
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
      #expect(chat.backend.turns.count { $0.message.text == "two" } == 1, label)
    }
  }

  @Test("Invariant 12: random conversations") func randomConversations() {
    var deliveries: [ResolveKitMessageDelivery] = []
    for seed in 1...400 as ClosedRange<UInt64> { deliveries += converse(seed: seed) }
    // The noise must reach what it is meant to test.
    for delivery in [ResolveKitMessageDelivery.held, .unknown, .notSent] {
      #expect(deliveries.count { $0 == delivery } > 50, "\(delivery)")
    }
  }

  private func converse(seed: UInt64) -> [ResolveKitMessageDelivery] {
    var random = SeededGenerator(seed: seed)
    let label: Comment = "seed \(seed)"
    let chat = SimulatedChat()
    var faults = Int.random(in: 0...40, using: &random)
    func isFaulty() -> Bool {
      faults -= 1
      return faults > 0 && Bool.random(using: &random)
    }
    chat.nextPassage = { isFaulty() ? Passage.allCases.randomElement(using: &random) ?? .answered : .answered }
    chat.latency = { (Int.random(in: 1...400, using: &random), Int.random(in: 1...400, using: &random)) }
    chat.onTurn = { chat, _ in
      let long = Int.random(in: 0..<8, using: &random) == 0
      chat.after(Int.random(in: 1...(long ? 400_000 : 4_000), using: &random)) { $0.endTurn() }
    }
    chat.run(for: 1)
    for number in 1...5 {
      let text = "message \(number)"
      chat.send(text)
      for _ in 0..<Int.random(in: 0...3, using: &random) where isFaulty() {
        let when = Int.random(in: 1...30_000, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: chat.after(when) { $0.restart(isKilled: true) }
        case 1: chat.after(when) { $0.restart(isKilled: false) }
        default: chat.after(when) { $0.cut(for: when % 7_000 + 1) }
        }
      }
      chat.run(for: Int.random(in: 0...1_000, using: &random)) { !$0.machine.isTurnInProgress }
      // Nobody cancels here, but a stop does: what it stops is sent again only where it had not arrived.
      var tries = 0
      while let left = chat.machine.left, left.arrival != .ended, tries < 30 {
        tries += 1
        chat.run(for: Int.random(in: 0...(tries > 3 ? 900 : 20), using: &random)) { _ in false }
        if chat.machine.left?.arrival == left.arrival { #expect(chat.retry(), label) }
        chat.run { !$0.machine.isTurnInProgress }
      }
      chat.run { !$0.machine.isTurnInProgress }
      #expect(!chat.machine.isTurnInProgress, label)
      let begun = chat.backend.turns.count { $0.message.text == text }
      #expect(begun == 1, "\(label) \(text)")
      #expect(chat.image.transcript.count { $0.role == .user && $0.text == text } == 1, "\(label) \(text)")
    }
    return chat.deliveries
  }
}
