/// One event as the HTML standard dispatches it (HTML § 9.2.6).
public struct ServerSentEvent: Hashable, Sendable {
  /// The event's type; `message` where the stream gave none.
  public var type: String
  /// The `data` lines, joined by line feeds.
  public var data: String
  /// The last id that the stream committed, which may be older than this event; empty if there is none.
  public var lastEventID: String
  /// Whether the event is the first one under ``lastEventID``. False where that is empty, or the id of an earlier event,
  /// which this one inherits for want of an `id` field: it does not tell whether this event is a repetition.
  public var hasOwnID: Bool

  /// - Parameter hasOwnID: nil: an event with an id of its own, if `lastEventID` is not empty.
  public init(
    type: String = Self.defaultType, data: String, lastEventID: String = "", hasOwnID: Bool? = nil
  ) {
    self.type = type
    self.data = data
    self.lastEventID = lastEventID
    self.hasOwnID = hasOwnID ?? !lastEventID.isEmpty
  }

  /// The type of an event whose block has no `event` field, or an empty one.
  public static let defaultType = "message"

  /// Compares bytes: `String`'s own equality is canonical equivalence, which would make two ids one.
  public static func == (left: Self, right: Self) -> Bool {
    left.hasOwnID == right.hasOwnID && left.lastEventID.hasSameBytes(as: right.lastEventID)
      && left.type.hasSameBytes(as: right.type)
      && left.data.hasSameBytes(as: right.data)
  }
}

extension String {
  /// Equality of the UTF-8 bytes; `==` holds for canonically equivalent strings too.
  @inline(__always)
  func hasSameBytes(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}
