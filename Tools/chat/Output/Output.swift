import Foundation

/// What a renderer wants written, and where.
enum Output: Equatable {
  /// To standard output: the answer, or JSON lines.
  case answer(String)
  /// To standard error: everything else.
  case status(String)

  /// Writes it at once, unbuffered.
  func write() {
    switch self {
    case .answer(let text): FileHandle.standardOutput.write(Data(text.utf8))
    case .status(let text): FileHandle.standardError.write(Data(text.utf8))
    }
  }
}
