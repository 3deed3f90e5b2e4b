import Foundation
import Glibc

/// The terminal that a person answers at.
enum ConsolePrompt {
  static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// Asks for a yes or no; everything but a yes is a no.
  static func asksYes(_ question: String) -> Bool {
    // Not `print`: its buffer would hold the question back.
    try? FileHandle.standardOutput.write(contentsOf: Data("\(question) [y/N] ".utf8))
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
    return answer == "y" || answer == "yes"
  }
}
