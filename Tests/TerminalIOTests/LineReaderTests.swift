import Synchronization
import Testing

@testable import TerminalIO

@Suite(.timeLimit(.minutes(10)))
struct LineReaderTests {
  private let question = LinePrompt("", for: .message)

  @Test func linesComeInOrderAndThenTheEnd() async {
    let lines = Mutex(["one", "two"])
    let reader = LineReader { lines.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    #expect(await reader.line(question) == .line("one"))
    #expect(await reader.line(question) == .line("two"))
    #expect(await reader.line(question) == .end)
  }

  /// A reader that waits for a line, with the question that it waits for.
  private func asked() async -> (reader: LineReader, typed: TypingGate, answer: Task<LineAnswer, Never>) {
    let (reading, begin) = AsyncStream.makeStream(of: Void.self)
    let typed = TypingGate()
    let reader = LineReader {
      begin.yield()
      return typed.wait()
    }
    let answer = Task { [question] in await reader.line(question) }
    for await _ in reading { break }
    return (reader, typed, answer)
  }

  @Test func newQuestionTakesTheLineOfAnOldOne() async {
    let (reader, typed, old) = await asked()
    let new = Task { [question] in await reader.line(question) }
    #expect(await old.value == .overtaken)
    typed.open("hello")
    #expect(await new.value == .line("hello"))
  }

  @Test func aQuestionThatWasWithdrawnBeforeItWasAskedIsNotWaitedFor() async {
    let typed = TypingGate()
    let reader = LineReader { typed.wait() }
    let late = Task { [question] in
      withUnsafeCurrentTask { $0?.cancel() }
      return await reader.line(question)
    }
    #expect(await late.value == .overtaken)
    typed.open("")
  }

  @Test func aQuestionThatIsWithdrawnLeavesItsLineToTheNext() async {
    let (reader, typed, old) = await asked()
    reader.withdraw()
    #expect(await old.value == .overtaken)
    typed.open("hello")
    #expect(await reader.line(question) == .line("hello"))
  }
}
