import Foundation
import LinkEmulator
import Synchronization

/// The picture of the answers on the terminal, drawn thirty times a second while the clients run.
final class WatchDisplay: Sendable {
  private let title: String
  private let length: Int64
  private let answers: Mutex<[WatchedAnswer]>

  private static let period = Duration.milliseconds(33)
  /// The alternate screen without a cursor, and back.
  private static let enter = "\u{1b}[?1049h\u{1b}[?25l"
  private static let leave = "\u{1b}[?25h\u{1b}[?1049l"

  init(title: String, length: Int64, answers: [WatchedAnswer]) {
    self.title = title
    self.length = length
    self.answers = Mutex(answers)
  }

  /// Takes an event of the client in the column at `place`.
  func came(_ arrival: EventArrival, in place: Int) {
    answers.withLock { $0[place].came(arrival) }
  }

  /// Draws until the task is cancelled, then puts the terminal back and leaves the last picture on it.
  func run() async {
    Self.write(Self.enter)
    while (try? await Task.sleep(for: Self.period)) != nil {
      Self.write("\u{1b}[H" + picture(lineEnd: "\u{1b}[K\r\n") + "\u{1b}[J")
    }
    Self.write(Self.leave + picture(lineEnd: "\n") + "\n")
  }

  private func picture(lineEnd: String) -> String {
    let answers = answers.withLock(\.self)
    // The clients start one after the other; the words are shown as if they had started together.
    let start = answers.compactMap(\.start).max()
    let size = Self.size
    let screen = WatchScreen(title: title, answers: answers, length: length)
    return screen.lines(at: start.map { PreciseTimer.now - $0 } ?? 0, columns: size.columns, rows: size.rows)
      .joined(separator: lineEnd)
  }

  private static var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  private static func write(_ text: String) {
    // A terminal that is gone has nobody to show it to.
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }
}
