package import ResolveKitCore

/// The reason for which a request was not performed, by the contract's codes.
package struct LaneRefusal: Error, Equatable, CustomStringConvertible {
  /// The contract's codes of a request that failed.
  package enum Code: String, Sendable, CaseIterable {
    case unauthorized
    case forbidden
    case invalidRequest = "invalid_request"
    case unsupportedMethod = "unsupported_method"
    case conflict
    case workerUnavailable = "worker_unavailable"
    case timeout
    case internalError = "internal_error"
  }

  package let code: Code
  package let message: String
  /// Whether the same may be asked again later, under another id.
  package let isRetryable: Bool
  package let details: JSONObject

  package init(_ code: Code, _ message: String, isRetryable: Bool = false, details: JSONObject = [:]) {
    self.code = code
    self.message = message
    self.isRetryable = isRetryable
    self.details = details
  }

  package var description: String { message }

  /// There is no thread of this name, or none that the client may know of.
  package static let unknownThread = LaneRefusal(.invalidRequest, "There is no such thread.")

  /// Codex's own refusal.
  package static func byCodex(_ message: String) -> LaneRefusal {
    LaneRefusal(.conflict, "Codex refuses it: \(message)")
  }
}
