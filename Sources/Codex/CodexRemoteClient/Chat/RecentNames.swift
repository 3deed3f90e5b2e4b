/// The names that were taken last, as many as are kept.
struct RecentNames: Equatable, Sendable {
  private let limit: Int
  private var order: [String] = []

  init(limit: Int) { self.limit = limit }

  func contains(_ name: String) -> Bool { order.contains(name) }

  /// Whether it was not there before.
  @discardableResult
  mutating func insert(_ name: String) -> Bool {
    guard !order.contains(name) else { return false }
    order.append(name)
    if order.count > limit { order.removeFirst() }
    return true
  }
}
