import ResolveKitCore

/// A notification of codex, as far as a chat shows it.
enum ChatNotice: Equatable, Sendable {
  case turnStarted(turnID: String)
  case turnCompleted(turnID: String)
  case itemStarted(ItemRef, item: JSONObject)
  case itemCompleted(ItemRef, item: JSONObject)
  case messageDelta(ItemRef, text: String)
  /// - isFinal: whether the turn does not continue: codex tries again by itself otherwise.
  case error(turnID: String?, isFinal: Bool)
  case requestResolved(requestID: JSONValue)

  /// An item and its turn.
  struct ItemRef: Hashable, Sendable {
    let turnID: String
    let itemID: String
  }

  /// Nil for what a chat does not show, and for what lacks the members that it would be shown by.
  init?(_ method: String, _ params: JSONObject) {
    func item() -> (ItemRef, JSONObject)? {
      guard let turnID = params["turnId"]?.stringValue, let item = params["item"]?.objectValue,
        let itemID = item["id"]?.stringValue
      else { return nil }
      return (ItemRef(turnID: turnID, itemID: itemID), item)
    }
    switch method {
    case "turn/started", "turn/completed":
      guard let turnID = params["turn"]?.objectValue?["id"]?.stringValue else { return nil }
      self = method == "turn/started" ? .turnStarted(turnID: turnID) : .turnCompleted(turnID: turnID)
    case "item/started":
      guard let (ref, item) = item() else { return nil }
      self = .itemStarted(ref, item: item)
    case "item/completed":
      guard let (ref, item) = item() else { return nil }
      self = .itemCompleted(ref, item: item)
    case "item/agentMessage/delta":
      guard let turnID = params["turnId"]?.stringValue, let itemID = params["itemId"]?.stringValue,
        let text = params["delta"]?.stringValue
      else { return nil }
      self = .messageDelta(ItemRef(turnID: turnID, itemID: itemID), text: text)
    case "error":
      self = .error(turnID: params["turnId"]?.stringValue, isFinal: params["willRetry"]?.boolValue != true)
    case "serverRequest/resolved":
      guard let id = params["requestId"] else { return nil }
      self = .requestResolved(requestID: id)
    default: return nil
    }
  }
}
