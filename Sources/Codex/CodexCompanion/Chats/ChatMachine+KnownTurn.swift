package import ResolveKitCore

extension ChatMachine {
  /// A turn of codex's own telling, after a connection to it was lost.
  package struct KnownTurn: Equatable, Sendable {
    let id: String
    let isRunning: Bool
    /// The turn as codex has it.
    let turn: JSONObject
    /// Its completed items, oldest first.
    let items: [JSONObject]
  }
}

extension ChatMachine.KnownTurn {
  /// A turn as codex lists it; nil without an id.
  package init?(_ turn: JSONObject) {
    guard let id = turn["id"]?.stringValue else { return nil }
    self.init(
      id: id, isRunning: turn["status"]?.stringValue == "inProgress", turn: turn.merging(["items": []]) { $1 },
      items: turn["items"]?.arrayValue?.compactMap(\.objectValue) ?? [])
  }
}
