import ResolveKitCore

/// A part of the list of a worker's threads, the one that was used last first.
package struct ThreadPage: Equatable, Sendable {
  package static let maximumLimit = 200
  private static let usualLimit = 50

  private let limit: Int
  /// The last thread of the page before.
  private let last: String?

  /// Throws ``LaneRefusal``.
  init(_ params: JSONObject) throws(LaneRefusal) {
    switch params["limit"] {
    case nil, .null?: limit = Self.usualLimit
    case let value?:
      guard let number = value.integerValue, (1...Self.maximumLimit).contains(number) else {
        throw LaneRefusal(.invalidRequest, "limit is a number from 1 to \(Self.maximumLimit).")
      }
      limit = number
    }
    switch params["cursor"] {
    case nil, .null?: last = nil
    case .string(let text)?: last = text
    case .number?, .bool?, .object?, .array?: throw LaneRefusal(.invalidRequest, "cursor is a text.")
    }
  }

  /// The answer. Throws ``LaneRefusal`` where the cursor's thread is gone.
  func answer(of threads: [LaneThread]) throws(LaneRefusal) -> JSONValue {
    var rest = threads[...]
    if let last {
      guard let place = threads.firstIndex(where: { $0.id.utf8.elementsEqual(last.utf8) }) else {
        throw LaneRefusal(.invalidRequest, "The cursor's thread is not listed any more; begin without a cursor.")
      }
      rest = threads[(place + 1)...]
    }
    let page = rest.prefix(limit)
    let next = page.count < rest.count ? page.last?.id : nil
    return ["data": .array(page.map(\.json)), "nextCursor": next.map { .string($0) } ?? .null]
  }
}
