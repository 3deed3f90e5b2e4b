import ResolveKitCore
import Synchronization
import TestSupport

@testable import CodexCompanion

/// A codex that answers calls by a script and keeps what it was sent.
final class ScriptedCodex: CodexLink {
  typealias Answer = @Sendable (JSONObject) async throws -> JSONObject

  private struct State {
    var answers: [String: Answer] = [:]
    var calls: [(method: String, params: JSONObject)] = []
    var replies: [(id: JSONValue, result: JSONValue)] = []
    var refusals: [JSONValue] = []
  }

  private let state = Mutex(State())

  /// The methods that were called, in order.
  var calls: [String] { state.withLock { $0.calls.map(\.method) } }
  var replies: [JSONValue] { state.withLock { $0.replies.map(\.result) } }
  var refusals: [JSONValue] { state.withLock { $0.refusals } }

  func params(of method: String) -> [JSONObject] {
    state.withLock { $0.calls.filter { $0.method == method }.map(\.params) }
  }

  func on(_ method: String, _ answer: @escaping Answer) { state.withLock { $0.answers[method] = answer } }

  func call(_ method: String, _ params: JSONObject) async throws -> JSONObject {
    let answer = state.withLock { state in
      state.calls.append((method, params))
      return state.answers[method]
    }
    guard let answer else { throw CodexCallError(.refused(-32_600), "no script for \(method)") }
    return try await answer(params)
  }

  func answer(_ requestID: JSONValue, _ result: JSONValue) async {
    state.withLock { $0.replies.append((requestID, result)) }
  }

  func refuse(_ requestID: JSONValue, _ reason: String) async { state.withLock { $0.refusals.append(requestID) } }
}
