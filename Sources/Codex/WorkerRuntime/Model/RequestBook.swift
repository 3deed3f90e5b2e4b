import EventLedger
import ResolveKitCore

/// The requests of a worker: those that wait for their receipt, and the last of those that have it. Pure.
struct RequestBook: Equatable, Sendable {
  /// A request that waits.
  struct Open: Equatable, Sendable {
    let method: String
    /// Distinguishes a repeat from another request under the same id.
    let digest: String
    /// The event that brought it.
    let sequence: Int64
    /// The time at which the runtime answers for the device.
    let expiry: WallTime
  }

  /// A request that has its receipt.
  struct Closed: Equatable, Sendable {
    let id: String
    let digest: String
    let receiptDigest: String
    /// The receipt's event.
    let sequence: Int64
  }

  /// The state of a request.
  enum Entry: Equatable, Sendable {
    case open(Open)
    case closed(Closed)
  }

  /// The most that wait at one time; the contract's server refuses more as overload.
  static let openLimit = 128
  /// Receipts that are remembered, so that a repeat gets its own.
  static let closedLimit = 256

  private(set) var open: [String: Open] = [:]
  private(set) var count = 0
  private var closed: [Closed] = []

  init() {}

  var isFull: Bool { open.count >= Self.openLimit }

  /// The ids of the requests that wait, the oldest first.
  var openIDs: [String] { open.sorted { $0.value.sequence < $1.value.sequence }.map(\.key) }

  subscript(id: String) -> Entry? {
    if let request = open[id] { return .open(request) }
    return closed.last { $0.id == id }.map(Entry.closed)
  }

  /// The ids of the requests whose time is over.
  func expired(at now: WallTime) -> [String] { openIDs.filter { open[$0].map { $0.expiry <= now } ?? false } }

  mutating func opened(_ id: String, _ request: Open) {
    guard self[id] == nil else { return }
    open[id] = request
    count += 1
  }

  /// - Parameter digest: of the request, where it was never open: the runtime answered it at once.
  mutating func closed(_ id: String, digest: String?, receiptDigest: String, sequence: Int64) {
    let request = open.removeValue(forKey: id)
    guard request != nil || self[id] == nil, let digest = request?.digest ?? digest else { return }
    if request == nil { count += 1 }
    closed.append(Closed(id: id, digest: digest, receiptDigest: receiptDigest, sequence: sequence))
    if closed.count > Self.closedLimit { closed.removeFirst(closed.count - Self.closedLimit) }
  }

  var json: JSONValue {
    let waiting = open.mapValues { request -> JSONValue in
      [
        "method": .string(request.method), "digest": .string(request.digest), "sequence": JSONValue(request.sequence),
        "expiry": JSONValue(request.expiry.microseconds),
      ]
    }
    let done = closed.map { request -> JSONValue in
      [
        "id": .string(request.id), "digest": .string(request.digest), "receipt": .string(request.receiptDigest),
        "sequence": JSONValue(request.sequence),
      ]
    }
    return ["count": JSONValue(Int64(count)), "open": .object(waiting), "closed": .array(done)]
  }

  init(_ json: JSONValue?) {
    let members = json?.objectValue ?? [:]
    count = members["count"]?.integerValue ?? 0
    for (id, value) in members["open"]?.objectValue ?? [:] {
      guard let request = value.objectValue, let method = request["method"]?.stringValue,
        let digest = request["digest"]?.stringValue, let sequence = request["sequence"]?.number,
        let expiry = request["expiry"]?.number
      else { continue }
      open[id] = Open(
        method: method, digest: digest, sequence: sequence, expiry: WallTime(microseconds: expiry))
    }
    closed = (members["closed"]?.arrayValue ?? []).compactMap { value in
      guard let request = value.objectValue, let id = request["id"]?.stringValue,
        let digest = request["digest"]?.stringValue, let receipt = request["receipt"]?.stringValue,
        let sequence = request["sequence"]?.number
      else { return nil }
      return Closed(id: id, digest: digest, receiptDigest: receipt, sequence: sequence)
    }
  }
}

extension JSONValue {
  /// A sequence number or a time; both stay below 2^53.
  init(_ number: Int64) { self = .number(Double(number)) }

  /// The same back; nil for what is no whole number.
  var number: Int64? { integerValue.map(Int64.init) }
}
