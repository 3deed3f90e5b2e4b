import Observation

/// The newest lines on what happened, oldest first.
@MainActor
@Observable
final class RuntimeLog {
  /// The number of lines that are kept.
  private static let limit = 512

  private(set) var lines: [String] = []

  func append(_ line: String) {
    lines = lines.suffix(Self.limit - 1) + [line]
  }
}
