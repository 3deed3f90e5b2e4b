import HTTPTypes
import ResolveKitCore

/// One thing that is wrong with a request: an element of a 422's `detail`.
struct ValidationIssue {
  let type: String
  let location: [JSONValue]
  let message: String
  var input: JSONValue = .null
  var context: JSONObject?

  var json: JSONValue {
    var object: JSONObject = [
      "type": .string(type), "loc": .array(location), "msg": .string(message), "input": input,
    ]
    if let context { object["ctx"] = .object(context) }
    return .object(object)
  }
}

extension APIError {
  static func invalid(_ issues: [ValidationIssue]) -> APIError {
    APIError(status: .unprocessableContent, detail: .array(issues.map(\.json)))
  }

  static func invalid(_ issue: ValidationIssue) -> APIError { invalid([issue]) }
}
