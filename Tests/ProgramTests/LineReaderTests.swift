import Synchronization
import Testing

@testable import chat

@Suite(.timeLimit(.minutes(1)))
struct LineReaderTests {
  @Test func linesComeInOrderAndThenTheEnd() async {
    let lines = Mutex(["one", "two"])
    let reader = LineReader { lines.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    #expect(await reader.line() == .line("one"))
    #expect(await reader.line() == .line("two"))
    #expect(await reader.line() == .end)
  }

  @Test func newQuestionTakesTheLineOfAnOldOne() async {
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let typed = Gate()
    let reader = LineReader {
      ask.yield()
      return typed.wait()
    }
    let old = Task { await reader.line() }
    for await _ in asked { break }
    let new = Task { await reader.line() }
    #expect(await old.value == .overtaken)
    typed.open("hello")
    #expect(await new.value == .line("hello"))
  }
}
