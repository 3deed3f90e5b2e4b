/// Messages that were shown from the history, which events may repeat.
struct ShownMessages {
  /// Most ids that are remembered.
  private static let limit = 4096

  private var ids: Set<String> = []

  /// Remembers a message; returns false where it was shown before.
  @discardableResult
  mutating func insert(_ id: String) -> Bool {
    guard !ids.contains(id) else { return false }
    if ids.count >= Self.limit { ids = [] }
    ids.insert(id)
    return true
  }
}
