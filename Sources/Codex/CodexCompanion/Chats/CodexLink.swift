package import ResolveKitCore

/// The companion's way to codex: its app-server, or a script of one.
package protocol CodexLink: Sendable {
  /// Asks codex. Throws ``CodexCallError``, or `CancellationError`.
  func call(_ method: String, _ params: JSONObject) async throws -> JSONObject

  /// Answers a request of codex; without effect where codex is gone, or waits for it no more.
  func answer(_ requestID: JSONValue, _ result: JSONValue) async

  /// Answers a request of codex with an error.
  func refuse(_ requestID: JSONValue, _ reason: String) async
}

/// A failed call of codex.
package struct CodexCallError: Error, Equatable, CustomStringConvertible {
  package enum Code: Equatable, Sendable {
    /// codex answered with an error of this number.
    case refused(Int)
    /// There is no codex, or the connection was lost before the answer came.
    case unavailable
    case timedOut
    /// Too many calls wait already.
    case busy
  }

  package let code: Code
  package let message: String
  /// The data of codex's error beside its sentence.
  package let data: JSONObject

  package init(_ code: Code, _ message: String, data: JSONObject = [:]) {
    self.code = code
    self.message = message
    self.data = data
  }

  package var description: String { message }
}

/// A report on codex; they come one after the other and in order.
package enum CodexReport: Sendable {
  case notification(method: String, params: JSONObject)
  /// A request that has to be answered, or its turn hangs.
  case request(id: JSONValue, method: String, params: JSONObject)
  /// A connection stands.
  ///
  /// - isSameProcess: whether codex ran already: it was not started for this connection.
  case connected(isSameProcess: Bool)
  /// The connection is lost; codex may live on.
  case disconnected
  /// codex is gone, with all that it ran.
  case ended(reason: String)
}
