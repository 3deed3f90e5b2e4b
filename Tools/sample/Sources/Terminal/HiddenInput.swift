import Dispatch
import Foundation

/// Typing that the terminal does not show, such as a key.
@MainActor
enum HiddenInput {
  /// Runs `body` while the terminal of standard input shows nothing of what is typed. Its modes are restored at the end,
  /// and before a signal ends the program. Where standard input is no terminal, there is nothing to hide.
  static func during(_ body: () async -> String?) async -> String? {
    var shown = termios()
    guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return await body() }
    let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map { restore(shown, before: $0) }
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    let answer = await body()
    tcsetattr(STDIN_FILENO, TCSADRAIN, &shown)
    for ending in endings {
      ending.source.cancel()
      signal(ending.number, SIG_DFL)
    }
    return answer
  }

  /// Restores the terminal's modes when the signal comes, and lets it end the program.
  private nonisolated static func restore(
    _ modes: termios, before number: Int32
  ) -> (number: Int32, source: any DispatchSourceSignal) {
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler {
      var modes = modes
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &modes)
      signal(number, SIG_DFL)
      kill(getpid(), number)
    }
    source.activate()
    // Once the source watches it: by itself the signal would end the program at once.
    signal(number, SIG_IGN)
    return (number, source)
  }
}
