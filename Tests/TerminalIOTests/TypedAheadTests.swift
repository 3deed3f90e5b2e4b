import Dispatch
import Glibc
import Testing

@testable import TerminalIO

/// What is typed before a prompt shows itself.
@Suite(.serialized, .timeLimit(.minutes(5)))
final class TypedAheadTests: Sendable {
  private let master: CInt
  private let slave: CInt
  private let editor: LineEditor

  init() throws {
    // What posix_openpt and unlockpt do (ioctl_tty(2)), which Swift's Glibc does not have.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number): (CInt, CInt) = (0, 0)
    try #require(ioctl(master, 0x4004_5431, &lock) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
    slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    setenv("TERM", "xterm", 0)
    editor = try #require(LineEditor(name: "typed-ahead", history: nil, input: slave, output: slave))
  }

  deinit {
    close(slave)
    close(master)
  }

  private func type(_ text: String) {
    let bytes = Array((text + "\r").utf8)
    #expect(write(master, bytes, bytes.count) == bytes.count)
  }

  /// Types a line while nothing is asked, and waits until the terminal has it.
  private func typeAhead(_ text: String) {
    type(text)
    var wait = pollfd(fd: slave, events: Int16(POLLIN), revents: 0)
    #expect(poll(&wait, 1, 10_000) == 1)
  }

  /// Asks, and types once the prompt is written.
  private func answer(_ text: String, to prompt: String, for purpose: LinePrompt.Purpose) async -> String? {
    async let answer = editor.line(LinePrompt(prompt, for: purpose))
    await withCheckedContinuation { shown in
      DispatchQueue.global().async { [master] in
        var last: [UInt8] = []
        var byte: UInt8 = 0
        while !last.suffix(2).elementsEqual(prompt.utf8), read(master, &byte, 1) == 1 { last.append(byte) }
        shown.resume()
      }
    }
    if !text.isEmpty { type(text) }
    return if case .line(let line) = await answer { line } else { nil }
  }

  @Test func whatIsTypedAtAMessagesPromptIsTheNextMessagesAndNoAnswer() async {
    #expect(await answer("first", to: "> ", for: .message) == "first")
    typeAhead("y")
    #expect(await answer("n", to: "? ", for: .decision) == "n")
    #expect(await answer("", to: "> ", for: .message) == "y")
  }

  @Test func whatIsTypedBetweenTwoQuestionsIsForgotten() async {
    #expect(await answer("n", to: "? ", for: .decision) == "n")
    typeAhead("y")
    #expect(await answer("once more", to: "? ", for: .decision) == "once more")
    #expect(await answer("a message", to: "> ", for: .message) == "a message")
  }
}
