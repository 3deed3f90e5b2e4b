import CQUIC

/// An answer to a datagram of no connection.
package enum StatelessReply: String, CaseIterable, Sendable {
  case versionNegotiation, retry, statelessReset
  /// CONNECTION_CLOSE for one that is not taken, such as one too many.
  case refusal
}

/// Packets that answer datagrams of no connection.
///
/// All are smaller than or as large as what they answer at most, and limited in number, so that the server is no amplifier.
struct StatelessReplies {
  private static let queueLimit = 64
  private static let resetsPerSecond = 100

  private let random: RandomSource
  private let resetSecret: [UInt8]
  private let maker: ConnectionIDMaker
  private var queue = Queue<(kind: StatelessReply, bytes: [UInt8], path: NetworkPath)>()
  private var secondOfResets: UInt64 = 0
  private var resetsThisSecond = 0

  init(random: RandomSource, resetSecret: [UInt8], maker: ConnectionIDMaker) {
    self.random = random
    self.resetSecret = resetSecret
    self.maker = maker
  }

  /// Writes the next one; nil when there is none.
  mutating func fill(_ batch: inout DatagramBatch) -> StatelessReply? {
    batch.removeAll()
    guard let reply = queue.popFirst() else { return nil }
    batch.free.copyBytes(from: reply.bytes)
    batch.commit(reply.bytes.count, path: reply.path, ecn: .notECT)
    return reply.kind
  }

  /// RFC 9000 § 6.1: only in answer to a datagram as large as a first flight's.
  mutating func negotiateVersion(
    _ header: ngtcp2_version_cid, _ versions: [QUICVersion], triggeredBy size: Int, on path: NetworkPath
  ) {
    guard size >= 1_200, queue.count < Self.queueLimit else { return }
    let versions = versions.map(\.rawValue)
    let unused = random.bytes(1)[0]
    enqueue(.versionNegotiation, capacity: 256, on: path) {
      ngtcp2_pkt_write_version_negotiation(
        $0, 256, unused, header.scid, header.scidlen, header.dcid, header.dcidlen, versions, versions.count)
    }
  }

  /// RFC 9000 § 10.3.3: shorter than the datagram that it answers, so that two ends cannot loop.
  mutating func resetStateless(
    _ header: ngtcp2_version_cid, triggeredBy size: Int, on path: NetworkPath, at now: Timestamp
  ) {
    // The shortest that a client can take for one: 5 random bytes and the token.
    let shortest = 21
    guard size > shortest, header.dcidlen == ConnectionID.ownLength, queue.count < Self.queueLimit, mayReset(at: now)
    else { return }
    var id = ngtcp2_cid()
    ngtcp2_cid_init(&id, header.dcid, header.dcidlen)
    var token = [UInt8](repeating: 0, count: Int(NGTCP2_STATELESS_RESET_TOKENLEN))
    guard ngtcp2_crypto_generate_stateless_reset_token(&token, resetSecret, resetSecret.count, &id) == 0
    else { return }
    let noise = random.bytes(min(size - 1, 60) - token.count)
    enqueue(.statelessReset, capacity: 256, on: path) {
      ngtcp2_pkt_write_stateless_reset($0, 256, token, noise, noise.count)
    }
  }

  /// Asks a client to prove its address.
  mutating func retry(
    _ initial: ngtcp2_pkt_hd, _ validation: AddressValidation, on path: NetworkPath, at now: Timestamp
  ) {
    guard queue.count < Self.queueLimit else { return }
    let source = maker.make(from: random)
    guard let packet = validation.retryPacket(for: initial, source: source, from: path, at: now) else { return }
    queue.append((.retry, packet, path))
  }

  /// Ends a client's attempt without keeping anything of it, as with CONNECTION_REFUSED when the server is full.
  mutating func refuse(_ initial: ngtcp2_pkt_hd, _ code: QUICErrorCode, on path: NetworkPath) {
    guard queue.count < Self.queueLimit else { return }
    var destination = initial.scid
    var source = initial.dcid
    enqueue(.refusal, capacity: 256, on: path) {
      ngtcp2_crypto_write_connection_close(
        $0, 256, initial.version, &destination, &source, code.rawValue, nil, 0)
    }
  }

  private mutating func mayReset(at now: Timestamp) -> Bool {
    let second = now.nanoseconds / 1_000_000_000
    if second != secondOfResets {
      secondOfResets = second
      resetsThisSecond = 0
    }
    resetsThisSecond += 1
    return resetsThisSecond <= Self.resetsPerSecond
  }

  private mutating func enqueue(
    _ kind: StatelessReply, capacity: Int, on path: NetworkPath, _ write: (UnsafeMutablePointer<UInt8>?) -> ngtcp2_ssize
  ) {
    var count: ngtcp2_ssize = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
      count = write(buffer.baseAddress)
      initialized = max(0, count)
    }
    if count > 0 { queue.append((kind, bytes, path)) }
  }
}
