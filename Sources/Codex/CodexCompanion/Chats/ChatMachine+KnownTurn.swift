package import ResolveKitCore

extension ChatMachine.KnownTurn {
  /// A turn as codex lists it; nil without an id.
  package init?(_ turn: JSONObject) {
    guard let id = turn["id"]?.stringValue else { return nil }
    self.init(
      id: id, isRunning: turn["status"]?.stringValue == "inProgress", turn: turn.merging(["items": []]) { $1 },
      items: turn["items"]?.arrayValue?.compactMap(\.objectValue) ?? [])
  }
}
