import Synchronization
import TestSupport

/// Questions in the order in which they came.
final class AskedNames: Sendable {
  private let asked = Mutex<[NameQuestion]>([])

  func append(_ question: NameQuestion) { asked.withLock { $0.append(question) } }

  /// The names that were asked for IPv4 addresses.
  var names: [String] { asked.withLock { $0.filter { $0.kind == .a }.map(\.name) } }

  var questions: [NameQuestion] { asked.withLock { $0 } }
}
