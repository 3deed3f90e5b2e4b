import CQUIC

/// The connection ids that a connection of ours gives to its peer (RFC 9000 § 5.1.1), each with its stateless reset token
/// (§ 10.3), and what an endpoint that routes by them has to learn.
struct OwnConnectionIDs {
  /// The secret that reset tokens are derived from, so that they outlast the connection; nil for a client, which sends no
  /// resets: its tokens are random.
  private let resetSecret: [UInt8]?
  private let maker: ConnectionIDMaker
  private var changes = Queue<ConnectionIDChange>()

  init(resetSecret: [UInt8]?, maker: ConnectionIDMaker = ConnectionIDMaker()) {
    self.resetSecret = resetSecret
    self.maker = maker
  }

  /// Makes an id of `length` bytes.
  func make(_ length: Int = ConnectionID.ownLength, from random: RandomSource) -> ngtcp2_cid {
    maker.make(length, from: random)
  }

  /// The way to a new id's reset token.
  enum TokenSource {
    case random
    case derived(secret: [UInt8])
  }

  var tokens: TokenSource { resetSecret.map { .derived(secret: $0) } ?? .random }

  /// Notes an id that is in use from now on. A client is found by its socket, and has nobody who routes.
  mutating func didAdd(_ id: ConnectionID) {
    if resetSecret != nil { changes.append(.added(id)) }
  }

  /// Notes an id that the peer has retired.
  mutating func didRemove(_ id: ConnectionID) {
    if resetSecret != nil { changes.append(.removed(id)) }
  }

  /// Takes the oldest change that nobody has taken.
  mutating func takeChange() -> ConnectionIDChange? { changes.popFirst() }
}
