import Foundation

/// Lines from standard input, read on a thread of its own: a blocked read must not hold up the conversation.
struct LineInput {
  private let queue = DispatchQueue(label: "sample.input")

  var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// Nil at the input's end.
  func line() async -> String? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: readLine(strippingNewline: true)) }
    }
  }

  /// A line that the terminal doesn't show.
  func secret() async -> String? {
    var before = termios()
    guard tcgetattr(STDIN_FILENO, &before) == 0 else { return await line() }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    let line = await line()
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
    return line
  }
}
