package import ResolveKitCore

/// A JSON-RPC error: why the other side did not do what it was asked.
package struct AppServerRefusal: Error, Hashable, Sendable {
  /// JSON-RPC's "method not found".
  package static let methodNotFound = -32601
  /// Codex has too much to do; the same request may be sent again later.
  package static let overloaded = -32001

  package let code: Int
  package let message: String
  package let data: JSONValue?

  package init(code: Int, message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// Reads the member `error`; what is missing in it counts as 0 and as no text.
  init(_ json: JSONValue) {
    let members = json.objectValue ?? [:]
    code = members["code"]?.integerValue ?? 0
    message = members["message"]?.stringValue ?? ""
    data = members["data"]
  }

  var json: JSONValue {
    var members: JSONObject = ["code": .number(Double(code)), "message": .string(message)]
    members["data"] = data
    return .object(members)
  }
}
