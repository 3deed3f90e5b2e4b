/// A reader's position in a stream of events, and how it is sent to the server.
///
/// The id is opaque: servers number, date or hash their events. It is compared for equality, byte by byte, and never
/// for order. A cursor belongs to one session: a new session, or a server that no longer knows it, voids it.
public struct EventCursor: Hashable, Sendable {
  /// The form in which the id is sent.
  public enum Carrier: Hashable, Sendable {
    /// The `Last-Event-ID` field (HTML § 9.2.3).
    case lastEventID
    /// A query parameter of this name.
    case query(name: String)
    /// Both ways, with the same value: for servers that read the parameter behind proxies that know the field.
    case queryAndLastEventID(name: String)
  }

  /// The last event's id; empty at the stream's beginning.
  public private(set) var id: String
  /// The form in which the ``id`` is sent when the stream is resumed.
  public let carrier: Carrier

  /// Creates a cursor after the event with that id, or at the stream's beginning for an empty one.
  public init(id: String = "", sentAs carrier: Carrier) {
    self.id = id
    self.carrier = carrier
  }

  /// Nothing is known yet: the server is asked for the stream from its beginning.
  public var isAtStart: Bool { id.isEmpty }

  /// Moves on; to be called once what the event caused is safe. An empty id means what it means in a stream: none.
  public mutating func advance(to id: String) {
    self.id = id
  }

  /// Goes back to the beginning, as when the session is new or the server has forgotten it.
  public mutating func reset() {
    id = ""
  }

  /// The value of `Last-Event-ID`; nil if it is not to be sent.
  ///
  /// Nil too for an id with a byte that no field value may carry (RFC 9110 § 5.5), such as a line end.
  public var lastEventIDField: String? {
    switch carrier {
    case .query: return nil
    case .lastEventID, .queryAndLastEventID: break
    }
    guard !isAtStart, !id.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else { return nil }
    return id
  }

  /// `name=value`, percent-encoded; nil if it is not to be sent.
  public var queryItem: String? {
    guard let name = queryName, !isAtStart else { return nil }
    return "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(id))"
  }

  /// `path` with the query item in place of any older one; without one at the stream's beginning.
  public func applied(toPath path: String) -> String {
    guard let name = queryName else { return path }
    let encodedName = PercentEncoding.encode(name)
    let question = UInt8(ascii: "?")
    let ampersand = UInt8(ascii: "&")
    let parts = path.utf8.split(separator: question, maxSplits: 1, omittingEmptySubsequences: false)
    var items = (parts.count > 1 ? parts[1].split(separator: ampersand) : []).filter { item in
      let itemName = item.prefix { $0 != UInt8(ascii: "=") }
      return !itemName.elementsEqual(encodedName.utf8) && !itemName.elementsEqual(name.utf8)
    }.map { String(Substring($0)) }
    if let queryItem { items.append(queryItem) }
    let pathAlone = String(path[..<(parts.first?.endIndex ?? path.endIndex)])
    return items.isEmpty ? pathAlone : pathAlone + "?" + items.joined(separator: "&")
  }

  private var queryName: String? {
    switch carrier {
    case .lastEventID: nil
    case .query(let name), .queryAndLastEventID(let name): name
    }
  }

  /// Compares bytes: canonical equivalence would take two ids for one.
  public static func == (left: Self, right: Self) -> Bool {
    left.id.hasSameBytes(as: right.id) && left.carrier == right.carrier
  }
}
