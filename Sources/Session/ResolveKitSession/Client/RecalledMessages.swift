import ResolveKitCore

/// Messages of a session that the server has forgotten, as a member of the next session's context: the newest for which the
/// contract leaves room beside the app's own context.
struct RecalledMessages {
  static let member = "earlier_conversation"
  /// Bytes of JSON and members that the contract allows a context.
  private static let maximumBytes = 8192
  private static let maximumMembers = 50
  /// Characters that are sent of one message.
  private static let longestText = 2000

  private let messages: [JSONValue]

  init(_ messages: [ResolveKitChatMessage]) {
    self.messages = messages.map { message in
      let isCut = message.text.count > Self.longestText
      let text = isCut ? message.text.prefix(Self.longestText) + "…" : message.text[...]
      return ["role": .string(message.role.rawValue), "text": .string(String(text))]
    }
  }

  /// The context with as many of the messages as fit; the app's own member of that name stays.
  func added(to context: JSONObject) -> JSONObject {
    let fitting = fitting(beside: context)
    guard !fitting.isEmpty else { return context }
    return context.merging([Self.member: .array(fitting)]) { own, _ in own }
  }

  func count(beside context: JSONObject) -> Int { fitting(beside: context).count }

  private func fitting(beside context: JSONObject) -> [JSONValue] {
    guard context[Self.member] == nil, context.count < Self.maximumMembers else { return [] }
    var room = Self.maximumBytes - JSONValue.object(context).jsonText.utf8.count - "\"\(Self.member)\":[],".utf8.count
    let newest = messages.reversed().prefix { message in
      room -= message.jsonText.utf8.count + 1
      return room >= 0
    }
    return newest.reversed()
  }
}
