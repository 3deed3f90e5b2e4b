package import ResolveKitCore

/// A request as a worker's log brings it to the worker's device.
package struct LaneRequest: Equatable, Sendable {
  /// The type of the events that bring one.
  package static let type = "worker.request"
  /// The contract has 160 characters.
  private static let maximumIDBytes = 640

  package let id: String
  /// The method's name as it was sent; the receipt repeats it.
  package let methodName: String
  package let params: JSONObject
  /// The thread that is meant: that of the request wins over that of its params.
  package let threadID: String?
  /// The time, by the runtime's clock, at which the runtime answers in the device's place; nil where it is not said.
  package let expiry: String?

  /// The method, where it is one that may be asked for.
  package var method: LaneMethod? { LaneMethod(rawValue: methodName) }

  /// Nil for an event that is no request.
  package init?(type: String, payload: JSONObject) {
    guard type == Self.type, let id = payload["request_id"]?.stringValue, !id.isEmpty,
      id.utf8.count <= Self.maximumIDBytes, let method = payload["method"]?.stringValue
    else { return nil }
    self.id = id
    methodName = method
    // Servers in another language write an empty object as an empty array.
    params = payload["params"]?.objectValue ?? [:]
    let named = [payload["thread_id"], params["threadId"]].lazy.compactMap { $0?.stringValue }
    threadID = named.first { !$0.isEmpty }
    expiry = payload["expires_at"]?.stringValue
  }
}
