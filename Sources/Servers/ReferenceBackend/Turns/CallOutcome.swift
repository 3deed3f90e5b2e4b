import ResolveKitCore

/// The outcome of a call.
package enum CallOutcome: Equatable, Sendable {
  /// The text for the model.
  case success(String)
  case failure(String)
  /// No result came in time.
  case timedOut

  private static let textName = "text"
  private static let reasonName = "reason"

  /// Its form in the database.
  init(_ json: JSONValue) {
    let object = json.objectValue ?? [:]
    if let text = object[Self.textName]?.stringValue {
      self = .success(text)
    } else if let reason = object[Self.reasonName]?.stringValue {
      self = .failure(reason)
    } else {
      self = .timedOut
    }
  }

  var jsonText: String {
    let json: JSONValue
    switch self {
    case .success(let text): json = [Self.textName: .string(text)]
    case .failure(let reason): json = [Self.reasonName: .string(reason)]
    case .timedOut: json = [:]
    }
    return json.jsonText
  }
}
