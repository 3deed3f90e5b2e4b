import ResolveKitCore

/// An action that waits for the journal.
struct UndoneAction {
  let action: TurnAction
  /// The place in the journal that must be on the disk first.
  var place: Int

  func startsTool(_ key: ToolCallKey) -> Bool {
    if case .startTool(let call) = action { call.key == key } else { false }
  }
}
