import CQUIC

/// A server's session tickets: the keys that seal and open them, and GnuTLS's part in taking early data once.
///
/// GnuTLS's anti-replay object has no lock: one endpoint on one loop owns it, and all its connections use it. What it has
/// seen is in a memory that has one.
final class SessionTickets {
  /// The lifetime of a ticket, in seconds. Its first key must live as long, and so must the memory of early data:
  /// with GnuTLS's own window of 10 s the first late resumption moves the window and all older tickets are refused.
  static let lifetime: Int32 = 7_200

  /// The lengths of the parts of GnuTLS's ticket keys, and the seconds after which it takes the next one (STEK_ROTATION_PERIOD_PRODUCT
  /// times the lifetime; lib/stek.c of 3.7.9).
  private static let (keyLength, nameLength, keyPeriod) = (64, 16, 3 * Int(lifetime))

  private var secrets: [[UInt8]]
  private let secondsSince1970: (@Sendable () -> Int)?
  private var antiReplay: gnutls_anti_replay_t?
  private let memory: EarlyDataMemory
  /// Handshakes whose early data was refused because the memory was full.
  private(set) var unremembered: UInt64 = 0

  /// - Parameters:
  ///   - secrets: ``ServerConfiguration/secrets``; at least one.
  ///   - secondsSince1970: ``ServerConfiguration/secondsSince1970``.
  ///   - memory: the handshakes with early data until now.
  init(
    secrets: [[UInt8]], secondsSince1970: (@Sendable () -> Int)?, memory: EarlyDataMemory
  ) throws(HTTP3Error) {
    self.secrets = secrets
    self.secondsSince1970 = secondsSince1970
    self.memory = memory
    try GnuTLS.check(gnutls_anti_replay_init(&antiReplay), "Making the memory of early data")
    gnutls_anti_replay_set_window(antiReplay, UInt32(Self.lifetime) * 1_000)
    // The connections that use the object keep this one alive.
    gnutls_anti_replay_set_ptr(antiReplay, Unmanaged.passUnretained(self).toOpaque())
    gnutls_anti_replay_set_add_function(antiReplay) { context, end, key, _ in
      guard let context, let key else { return GNUTLS_E_DB_ERROR }
      let tickets = Unmanaged<SessionTickets>.fromOpaque(context).takeUnretainedValue()
      return tickets.add(UnsafeBufferPointer(start: key.pointee.data, count: Int(key.pointee.size)), until: Int(end))
    }
  }

  deinit {
    gnutls_anti_replay_deinit(antiReplay)
  }

  /// Lets a server's session give out tickets and take early data. Tickets of one QUIC version are worth nothing in
  /// another (RFC 9369 § 5). GnuTLS rotates the key: what seals tickets is derived from it and the time.
  func enable(on session: gnutls_session_t?, version: UInt32, takesEarlyData: Bool) throws(HTTP3Error) {
    let key = try Self.key(secrets[0], version)
    let code = GnuTLS.withDatum(key) { gnutls_session_ticket_enable_server(session, $0) }
    try GnuTLS.check(code, "Setting the session ticket key")
    gnutls_db_set_cache_expiration(session, Self.lifetime)
    guard takesEarlyData else { return }
    gnutls_anti_replay_enable(session, antiReplay)
    // The only value that QUIC allows (RFC 9001 § 4.6.1).
    try GnuTLS.check(gnutls_record_set_max_early_data_size(session, 0xffff_ffff), "Allowing early data")
  }

  /// Takes other secrets for the connections to come; none changes nothing.
  func replace(_ secrets: [[UInt8]]) {
    if !secrets.isEmpty { self.secrets = secrets }
  }

  /// Has the session open the ticket of a ClientHello that GnuTLS is about to read, if it was sealed under another secret than
  /// the first; GnuTLS knows one key for each session. Answers whether it was.
  func open(
    ticketOf clientHello: UnsafeRawBufferPointer, on session: gnutls_session_t?, version: UInt32
  ) -> Bool {
    guard secrets.count > 1, let secondsSince1970, let name = OfferedTicket.keyName(in: clientHello, Self.nameLength)
    else { return false }
    let period = UInt64(clamping: secondsSince1970() / Self.keyPeriod)
    for secret in secrets.dropFirst() {
      guard let key = try? Self.key(secret, version), Self.names(of: key, period).contains(name) else { continue }
      return GnuTLS.withDatum(key) { gnutls_session_ticket_enable_server(session, $0) } == 0
    }
    return false
  }

  private static func key(_ secret: [UInt8], _ version: UInt32) throws(HTTP3Error) -> [UInt8] {
    let material = secret + withUnsafeBytes(of: version.bigEndian) { Array($0) }
    var key = [UInt8](repeating: 0, count: keyLength)
    try GnuTLS.check(gnutls_hash_fast(GNUTLS_DIG_SHA512, material, material.count, &key), "Deriving the ticket key")
    return key
  }

  /// The names of the keys that GnuTLS derives from one, now and in the period before, which tickets begin with.
  private static func names(of key: [UInt8], _ period: UInt64) -> [[UInt8]] {
    [period, period &- 1].map { number in
      let material = withUnsafeBytes(of: number.bigEndian) { Array($0) } + key
      var derived = [UInt8](repeating: 0, count: keyLength)
      _ = gnutls_hash_fast(GNUTLS_DIG_SHA3_512, material, material.count, &derived)
      return Array(derived[..<nameLength])
    }
  }

  private func add(_ key: UnsafeBufferPointer<UInt8>, until end: Int) -> Int32 {
    // Before the ClientHello's binder GnuTLS puts the 12 bytes of when its window began. When the window moves on, the
    // same binder would pass for a new one.
    let binder = key.dropFirst(key.count > 28 ? 12 : 0)
    var name = EarlyDataMemory.Name()
    withUnsafeMutableBytes(of: &name) { $0.copyBytes(from: binder.prefix($0.count)) }
    switch memory.remember(name, until: end) {
    case .new: return 0
    case .replayed: return GNUTLS_E_DB_ENTRY_EXISTS
    case .full:
      unremembered += 1
      return GNUTLS_E_DB_ERROR
    }
  }
}
