import Foundation
import ResolveKitCore
import TerminalIO

/// Lines on standard output.
enum Printing {
  /// One JSON object; what may steer a terminal is an escape.
  static func json(_ members: JSONObject) {
    TerminalOutput.answer(JSONValue.object(members).visibleText + "\n").write()
  }

  /// One line for a person.
  static func line(_ text: String) { TerminalOutput.answer(TerminalText.line(text) + "\n").write() }

  /// Seconds since 1970 as a person reads them; companions send milliseconds of some.
  static func time(_ seconds: Double) -> String {
    let seconds = seconds > 1e11 ? seconds / 1_000 : seconds
    guard seconds > 0, seconds < 1e11 else { return "never" }
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: false, timeZone: .current)
    return Date(timeIntervalSince1970: seconds).formatted(style)
  }
}
