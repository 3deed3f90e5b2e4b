import ReferenceBackend
import Synchronization
import TestSupport

/// Answers each request with the next closure of its script.
struct ScriptedModel: ModelAdapter {
  typealias Step =
    @Sendable (ModelConversation, @Sendable (ModelOutput) async throws -> Void) async throws -> Void

  let name = "scripted"
  private let script: [Step]
  private let position = Position()

  private final class Position: Sendable {
    let next = Mutex(0)
  }

  init(_ script: [Step]) {
    self.script = script
  }

  /// Says words, then ends.
  init(words: [String]) {
    self.init([{ _, output in for word in words { try await output(.text(word)) } }])
  }

  /// Says a word, and waits until the gate is open.
  static func halting(_ gate: Gate) -> ScriptedModel {
    ScriptedModel([
      { _, output in
        try await output(.text("half "))
        await gate.wait()
        try await output(.text("more"))
      }
    ])
  }

  func reply(
    to conversation: ModelConversation, output: @Sendable (ModelOutput) async throws -> Void
  ) async throws {
    let index = position.next.withLock { next in
      defer { next += 1 }
      return next
    }
    guard index < script.count else { throw ModelError(.malformed, "The script has ended.") }
    try await script[index](conversation, output)
  }
}
