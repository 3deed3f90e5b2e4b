import Foundation

/// The terminal's modes before its input was hidden; written before a handler that reads them is installed.
private nonisolated(unsafe) var shownModes = termios()

/// Typing that the terminal does not show, such as a key.
@MainActor
enum SecretPrompt {
  private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Runs `body` while the terminal of standard input shows nothing of what is typed. Its modes are restored at the end,
  /// and before a signal ends the program. Where standard input is no terminal, there is nothing to hide.
  static func during(_ body: () async -> String?) async -> String? {
    guard tcgetattr(STDIN_FILENO, &shownModes) == 0 else { return await body() }
    for number in endings {
      // All that it calls may be called by a signal handler (signal-safety(7)).
      signal(number) { number in
        tcsetattr(STDIN_FILENO, TCSANOW, &shownModes)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    var hidden = shownModes
    hidden.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    let answer = await body()
    tcsetattr(STDIN_FILENO, TCSADRAIN, &shownModes)
    for number in endings { signal(number, SIG_DFL) }
    return answer
  }
}
