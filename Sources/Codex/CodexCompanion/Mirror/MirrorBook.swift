import ResolveKitCore

/// The mirror's durable state: how far each chat was mirrored, how far the worker's log was read, and the outcomes of
/// requests.
struct MirrorBook: Equatable, Sendable {
  /// The state of a request.
  enum Standing: Equatable, Sendable {
    case new
    /// Begun, and not ended by this process or the one before.
    case begun
    /// Ended with a receipt, which the runtime may not have yet.
    case ended(type: String, payload: JSONObject)
    /// The runtime has a receipt.
    case done
  }

  /// A chat that rested longest is forgotten beyond it.
  static let maximumChats = 5_000
  static let maximumDone = 1_024

  let server: String
  let worker: String
  /// The name of the history of the chats' log.
  let ledger: String
  /// The last event of the worker's log that was dealt with; nil before the first registration.
  var inbound: Int64?
  private var chats: [String: Int64] = [:]
  private var begun: [String: JSONObject] = [:]
  private var done: [String] = []

  init(server: String, worker: String, ledger: String) {
    self.server = server
    self.worker = worker
    self.ledger = ledger
  }

  /// The last event of a chat that needs no more mirroring.
  func cursor(of chat: String) -> Int64? { chats[chat] }

  mutating func set(_ chat: String, to cursor: Int64) {
    if chats[chat] == nil, chats.count >= Self.maximumChats, let other = chats.keys.min() { chats[other] = nil }
    chats[chat] = cursor
  }

  func standing(of request: String) -> Standing {
    if let receipt = begun[request] {
      guard let type = receipt["type"]?.stringValue, let payload = receipt["payload"]?.objectValue else {
        return .begun
      }
      return .ended(type: type, payload: payload)
    }
    return done.contains(request) ? .done : .new
  }

  mutating func begin(_ request: String) { begun[request] = [:] }

  mutating func end(_ request: String, type: String, payload: JSONObject) {
    begun[request] = ["type": .string(type), "payload": .object(payload)]
  }

  mutating func finish(_ request: String) {
    begun[request] = nil
    guard !done.contains(request) else { return }
    done.append(request)
    if done.count > Self.maximumDone { done.removeFirst() }
  }

  // MARK: JSON

  /// Nil for a document that says something else than a book says.
  init?(_ members: JSONObject) {
    guard let server = members["server"]?.stringValue, let worker = members["worker"]?.stringValue,
      let ledger = members["ledger"]?.stringValue, let chats = members["chats"]?.objectValue,
      let begun = members["begun"]?.objectValue, let done = members["done"]?.arrayValue
    else { return nil }
    self.init(server: server, worker: worker, ledger: ledger)
    inbound = members["inbound"]?.integerValue.map(Int64.init)
    self.chats = chats.compactMapValues { $0.integerValue.map(Int64.init) }
    self.begun = begun.compactMapValues(\.objectValue)
    self.done = done.compactMap(\.stringValue)
  }

  var members: JSONObject {
    var members: JSONObject = [
      "server": .string(server), "worker": .string(worker), "ledger": .string(ledger),
      "chats": .object(chats.mapValues { .number(Double($0)) }), "begun": .object(begun.mapValues { .object($0) }),
      "done": .array(done.map { .string($0) }),
    ]
    members["inbound"] = inbound.map { .number(Double($0)) }
    return members
  }
}
