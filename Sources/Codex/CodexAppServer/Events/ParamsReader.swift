import ResolveKitCore

/// Reads the members of the params of a notification or a request.
struct ParamsReader {
  let members: JSONObject

  init(_ params: JSONValue) {
    members = params.objectValue ?? [:]
  }

  var threadID: String? {
    members["threadId"]?.stringValue ?? members["thread"]?.objectValue?["id"]?.stringValue
      ?? members["conversationId"]?.stringValue
  }

  var turnID: String? {
    members["turnId"]?.stringValue ?? members["turn"]?.objectValue?["id"]?.stringValue
  }

  var itemID: String? { string("itemId") }

  func string(_ name: String) -> String? { members[name]?.stringValue }

  func strings(_ name: String) -> [String]? {
    guard let elements = members[name]?.arrayValue else { return nil }
    let texts = elements.compactMap(\.stringValue)
    return texts.count == elements.count ? texts : nil
  }
}
