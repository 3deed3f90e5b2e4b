import ResolveKitCore

/// The items of a chat that were started and not completed.
///
/// Both are normal with codex: an item that never completes, such as a text cut by a steer, and a command that completes
/// after its turn.
struct OpenItems: Sendable {
  typealias Ref = ChatNotice.ItemRef

  /// More than a turn of codex has; beyond, the oldest is forgotten, as if it had completed.
  static let limit = 512

  private var items: [Ref: JSONObject] = [:]
  private var order: [Ref] = []
  /// The items that completed in this turn, so that one that is repeated after a gap is reported once.
  private var completed: Set<Ref> = []

  subscript(ref: Ref) -> JSONObject? { items[ref] }

  /// The item that was started last of those that match.
  func last(where isMeant: (JSONObject) -> Bool) -> JSONObject? {
    order.last { ref in items[ref].map(isMeant) ?? false }.flatMap { items[$0] }
  }

  /// Whether it was not known before.
  mutating func start(_ ref: Ref, _ item: JSONObject) -> Bool {
    guard !completed.contains(ref) else { return false }
    guard items.updateValue(item, forKey: ref) == nil else { return false }
    order.append(ref)
    if order.count > Self.limit { items[order.removeFirst()] = nil }
    return true
  }

  /// Whether it had not completed before.
  mutating func complete(_ ref: Ref) -> Bool {
    if items.removeValue(forKey: ref) != nil { order.removeAll { $0 == ref } }
    if completed.count >= 8 * Self.limit { completed.removeAll() }
    return completed.insert(ref).inserted
  }

  /// Takes out what a turn left open, in order. Commands that still run stay: `turn/interrupt` does not end them.
  ///
  /// - Parameter unbegun: the items that nobody had allowed yet.
  mutating func endTurn(
    _ turnID: String, processIsGone: Bool, unbegun: Set<String> = []
  ) -> [(ref: Ref, item: JSONObject)] {
    let left = order.filter { ref in
      guard ref.turnID == turnID, let item = items[ref] else { return false }
      return processIsGone || item["type"]?.stringValue != "commandExecution" || unbegun.contains(ref.itemID)
    }
    let ended = left.compactMap { ref in items.removeValue(forKey: ref).map { (ref: ref, item: $0) } }
    order.removeAll { items[$0] == nil }
    completed = completed.filter { $0.turnID != turnID }
    completed.formUnion(left)
    return ended
  }

  /// Takes out all: codex's process is gone, and its commands with it.
  mutating func endAll() -> [(ref: Ref, item: JSONObject)] {
    let ended = order.compactMap { ref in items[ref].map { (ref: ref, item: $0) } }
    items = [:]
    order = []
    return ended
  }
}
