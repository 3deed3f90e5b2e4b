import EventLedger
import Logging
import ResolveKitCore
import Synchronization
import TestSupport
import Testing

@testable import CodexCompanion

/// A chat's log over a ledger whose appends are held up.
@Suite(.timeLimit(.minutes(5)))
struct ChatLogTests {
  private let ledger: any EventLedger

  init() throws { ledger = try SQLiteEventLedger.open(path: nil) }

  private func log(_ ledger: any EventLedger) async throws -> ChatLog {
    try await ChatLog(
      "c", ledger: ledger, now: { .current }, clock: InstantClock(), logger: Logger(label: "test"))
  }

  /// What is being written is not changed any more: a text that comes meanwhile is an event of its own.
  @Test func aTextThatComesDuringAWriteIsKept() async throws {
    let (isFirst, first, isSecond, second) = (Gate(), Gate(), Gate(), Gate())
    let writes = Mutex(0)
    let held = HeldLedger(ledger: ledger) {
      let number = writes.withLock { writes in
        writes += 1
        return writes
      }
      if number == 1 {
        isFirst.open()
        await first.wait()
      } else if number == 2 {
        isSecond.open()
        await second.wait()
      }
    }
    let log = try await log(held)
    func delta(_ text: String) -> ChatEvent { ChatEvent(.messageDelta, ["itemId": "m", "delta": .string(text)]) }
    await log.publish(ChatEvent(.turnStarted, [:]))
    await isFirst.wait()
    await log.publish(ChatEvent(.itemStarted, [:]))
    await log.publish(delta("a"))
    await log.publish(delta("b"))
    first.open()
    await isSecond.wait()
    await log.publish(delta("c"))
    second.open()
    await log.drain()
    var texts: [String] = []
    try await log.kept { if let text = $0.payload["delta"]?.stringValue { texts.append(text) } }
    #expect(texts == ["ab", "c"])
  }

  /// Large events wait for the disk up to a number of bytes; then their source does.
  @Test func whatWaitsForTheDiskIsLimitedByItsBytes() async throws {
    let gate = Gate()
    let log = try await log(HeldLedger(ledger: ledger) { await gate.wait() })
    let event = ChatEvent(.itemStarted, ["text": .string(String(repeating: "x", count: 1 << 20))])
    let told = Mutex(0)
    let teller = Task {
      for _ in 0..<40 {
        await log.publish(event)
        told.withLock { $0 += 1 }
      }
    }
    await until { await log.isFull }
    #expect(told.withLock { $0 } < 33)
    gate.open()
    await teller.value
    await log.drain()
    #expect(try await ledger.extent(of: ChatLog.stream(of: "c")).last == 40)
  }
}
