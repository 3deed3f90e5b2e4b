import CodexRemoteContract
import EventLedger
import ResolveKitCore

/// A request to a worker, checked.
package struct WorkerRequest: Sendable {
  /// The methods that a client may ask for.
  package static let methods = LaneMethod.names

  package let id: String
  package let method: String
  /// JSON text of an object.
  package let params: [UInt8]
  /// The client's other members: `request_version`, `sent_at`, `source`, `session_id`, `thread_id`.
  package let context: [(name: String, value: String)]

  package init(id: String, method: String, params: [UInt8], context: [(name: String, value: String)] = []) {
    self.id = id
    self.method = method
    self.params = params
    self.context = context
  }

  /// Distinguishes a repeat from another request under the same id.
  static func digest(method: String, params: JSONValue?) -> String {
    Digest.of(.string(method), params ?? .object([:]))
  }

  var paramsValue: JSONValue { (try? JSONValue(parsing: params)) ?? .object([:]) }

  var digest: String { Self.digest(method: method, params: paramsValue) }

  /// The event that brings it to the device. Params stay byte for byte as they came.
  func draft(at now: WallTime, timeout: Duration) -> LedgerDraft {
    var payload = JSONText()
    payload.add("request_id", .string(id))
    payload.add("method", .string(method))
    payload.add("params", text: params)
    for (name, value) in context { payload.add(name, .string(value)) }
    let (seconds, attoseconds) = timeout.components
    payload.add("timeout_ms", JSONValue(seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
    payload.add("expires_at", .string((now + timeout).zulu))
    payload.add("occurred_at", .string(now.zulu))
    return LedgerDraft(type: EventType.request, payload: payload.bytes)
  }
}
