package import ResolveKitCore

/// A message of the app-server's protocol: JSON-RPC 2.0 without the member `jsonrpc`.
///
/// Members that are not known here, such as `emittedAtMs` and `trace`, are passed over.
package enum AppServerMessage: Hashable, Sendable {
  case request(id: AppServerID, method: String, params: JSONValue)
  case notification(method: String, params: JSONValue)
  case response(id: AppServerID, result: JSONValue)
  /// The answer to a request that was not done; without an id where the other side could not read it.
  case refusal(id: AppServerID?, AppServerRefusal)

  /// Reads one message. A message with `method` is a request or a notification, whatever else it has: both sides number
  /// their own requests, so that the same id can be open in both directions.
  /// - Throws: `AppServerError.Code.malformed`; no bytes trap.
  package init(parsing bytes: [UInt8]) throws(AppServerError) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: bytes)
    } catch {
      throw AppServerError(.malformed, "A message of codex is no JSON.", cause: error)
    }
    guard case .object(let members) = json else {
      throw AppServerError(.malformed, "A message of codex is JSON, but no object.")
    }
    if let method = members["method"] {
      self = try Self.call(method, members)
    } else {
      self = try Self.answer(members)
    }
  }

  private static func call(_ method: JSONValue, _ members: JSONObject) throws(AppServerError) -> AppServerMessage {
    guard let method = method.stringValue else {
      throw AppServerError(.malformed, "The method of a message of codex is no string.")
    }
    let params = members["params"] ?? .null
    guard let json = members["id"] else { return .notification(method: method, params: params) }
    guard let id = AppServerID(json) else {
      throw AppServerError(.malformed, "The id of a request of codex is neither a string nor an integer below 2^53.")
    }
    return .request(id: id, method: method, params: params)
  }

  private static func answer(_ members: JSONObject) throws(AppServerError) -> AppServerMessage {
    let id = members["id"].flatMap { AppServerID($0) }
    if let error = members["error"], !error.isNull { return .refusal(id: id, AppServerRefusal(error)) }
    guard let result = members["result"] else {
      throw AppServerError(.malformed, "A message of codex has none of method, result and error.")
    }
    guard let id else {
      throw AppServerError(.malformed, "The id of an answer of codex is neither a string nor an integer below 2^53.")
    }
    return .response(id: id, result: result)
  }

  /// The message as JSON. Params that are null are left out, as codex does.
  package var json: JSONValue {
    switch self {
    case .request(let id, let method, let params):
      var members: JSONObject = ["id": id.json, "method": .string(method)]
      if !params.isNull { members["params"] = params }
      return .object(members)
    case .notification(let method, let params):
      var members: JSONObject = ["method": .string(method)]
      if !params.isNull { members["params"] = params }
      return .object(members)
    case .response(let id, let result): return ["id": id.json, "result": result]
    case .refusal(let id, let refusal): return ["id": id?.json ?? .null, "error": refusal.json]
    }
  }
}
