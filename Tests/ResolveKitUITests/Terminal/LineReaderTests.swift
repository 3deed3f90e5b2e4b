import Synchronization
import Testing

@testable import ResolveKitUI

@Suite(.timeLimit(.minutes(1)))
struct LineReaderTests {
  private let question = LinePrompt("", for: .message)

  @Test func linesComeInOrderAndThenTheEnd() async {
    let lines = Mutex(["one", "two"])
    let reader = LineReader { lines.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    #expect(await reader.line(question) == .line("one"))
    #expect(await reader.line(question) == .line("two"))
    #expect(await reader.line(question) == .end)
  }

  @Test func newQuestionTakesTheLineOfAnOldOne() async {
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let typed = Gate()
    let reader = LineReader {
      ask.yield()
      return typed.wait()
    }
    let old = Task { [question] in await reader.line(question) }
    for await _ in asked { break }
    let new = Task { [question] in await reader.line(question) }
    #expect(await old.value == .overtaken)
    typed.open("hello")
    #expect(await new.value == .line("hello"))
  }

  @Test func aQuestionThatIsWithdrawnLeavesItsLineToTheNext() async {
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let typed = Gate()
    let reader = LineReader {
      ask.yield()
      return typed.wait()
    }
    let old = Task { [question] in await reader.line(question) }
    for await _ in asked { break }
    reader.withdraw()
    #expect(await old.value == .overtaken)
    typed.open("hello")
    #expect(await reader.line(question) == .line("hello"))
  }
}
