/// The last ids seen, compared as bytes, in bounded memory.
struct RecentIDs: Equatable, Sendable {
  private let capacity: Int
  private var members: Set<[UInt8]> = []
  private var order: [[UInt8]] = []
  /// The place of the next id once `order` is full.
  private var next = 0

  init(capacity: Int) { self.capacity = max(capacity, 1) }

  func contains(_ id: String) -> Bool { members.contains(Array(id.utf8)) }

  /// Remembers an id, forgetting the oldest beyond the capacity. False if it was there already.
  @discardableResult
  mutating func insert(_ id: String) -> Bool {
    let bytes = Array(id.utf8)
    guard members.insert(bytes).inserted else { return false }
    if order.count < capacity {
      order.append(bytes)
    } else {
      members.remove(order[next])
      order[next] = bytes
      next = (next + 1) % capacity
    }
    return true
  }

  /// The ids, oldest first.
  var ids: [String] { inOrder.map { String(decoding: $0, as: UTF8.self) } }

  private var inOrder: ArraySlice<[UInt8]> { order[next...] + order[..<next] }

  /// Equal whatever the oldest one's place in memory.
  static func == (left: Self, right: Self) -> Bool {
    left.capacity == right.capacity && left.inOrder == right.inOrder
  }

  mutating func removeAll() {
    members.removeAll()
    order.removeAll()
    next = 0
  }
}

extension RecentIDs: Codable {
  private enum CodingKeys: String, CodingKey {
    case capacity, ids
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(capacity: try container.decode(Int.self, forKey: .capacity))
    for id in try container.decode([String].self, forKey: .ids) { insert(id) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(capacity, forKey: .capacity)
    try container.encode(ids, forKey: .ids)
  }
}
