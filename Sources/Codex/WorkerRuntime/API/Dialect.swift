import HTTPTypes
import ResolveKitCore

/// The manners of the server that answers.
package enum Dialect: String, Sendable, CaseIterable {
  /// The runtime's own: failures of a stream have their status, 400 or 410.
  case runtime
  /// The dialect of the contract's public layer: it has sent 200 before a stream fails, and reports that by an event of
  /// the type `error`; it tries three times; a runtime that fails is 502; an empty object is `[]`; the runtime's
  /// extensions do not come through.
  case laravel

  /// JSON text as it comes through.
  func passed(_ json: [UInt8]) -> [UInt8] {
    switch self {
    case .runtime: json
    case .laravel: EmptyObjects.asArrays(json)
    }
  }

  /// A failure as the client sees it.
  func passed(_ fault: APIFault) -> APIFault {
    switch self {
    case .runtime: return fault
    case .laravel:
      guard fault.status.kind == .serverError else { return fault }
      let message = fault.body.objectValue?["error"]?.objectValue?["message"]?.stringValue
      return APIFault(.badGateway, "runtime_codex_failed", message ?? "the runtime fails")
    }
  }
}
