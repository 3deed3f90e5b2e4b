import CQUIC
import Synchronization

/// Proofs that a client receives what is sent to its address (RFC 9000 § 8.1): the tokens of Retry and of NEW_TOKEN.
///
/// Both are sealed under secrets of this process, so that a token from before a restart counts as none, or under secrets that
/// servers share. A token of NEW_TOKEN is good for one connection (RFC 9000 § 8.1.4), of each process that can open it.
final class AddressValidation: Sendable {
  /// The verdict on a client's first packet.
  enum Verdict {
    /// No token, or one of NEW_TOKEN's that was used, is too old, of another address or of before a restart: as if there
    /// were none.
    case notValidated
    /// The token of a Retry packet: `originalDestination` is the connection id of the client's very first packet.
    case validatedByRetry(originalDestination: ngtcp2_cid)
    case validatedByNewToken
    /// A Retry token of ours that is too old or for another address; it cannot have a second Retry
    /// (RFC 9000 § 8.1.3).
    case refused
  }

  /// A client answers a Retry after a round trip and perhaps some losses.
  private static let retryLifetime = Duration.seconds(10)
  private static let newTokenLifetime = Duration.seconds(24 * 3_600)

  /// More than either kind of token takes (NGTCP2_CRYPTO_MAX_RETRY_TOKENLEN2 is 90).
  private static let tokenCapacity = 256

  private struct State {
    /// The first seals, and all open.
    var retrySecrets: [[UInt8]]
    var newTokenSecrets: [[UInt8]]
    var spent: SpentTokens
    /// The secrets of tokens that are derived from shared ones.
    var shared: Set<[UInt8]> = []
    /// Those of them of whose tokens it is no longer known which were used.
    var exhausted: Set<[UInt8]> = []
  }

  private let secondsSince1970: (@Sendable () -> Int)?
  private let state: Mutex<State>

  /// - Parameters:
  ///   - secrets: those that servers share; without them, or the time of day, this process's own.
  ///   - secondsSince1970: the time of day, by which tokens are dated for others.
  ///   - memory: used tokens that are remembered; when there are more, all that were given out count as none.
  init(
    random: RandomSource, secrets: [[UInt8]] = [], secondsSince1970: (@Sendable () -> Int)? = nil,
    memory: Int = SpentTokens.defaultCapacity
  ) {
    self.secondsSince1970 = secrets.isEmpty ? nil : secondsSince1970
    state = Mutex(
      State(
        retrySecrets: [random.bytes(32)], newTokenSecrets: [random.bytes(32)], spent: SpentTokens(capacity: memory)))
    replace(secrets)
  }

  /// Takes other shared secrets, where they are shared.
  func replace(_ secrets: [[UInt8]]) {
    guard secondsSince1970 != nil, !secrets.isEmpty else { return }
    let ofRetry = secrets.compactMap { Self.derive($0, "retry token") }
    let ofNewToken = secrets.compactMap { Self.derive($0, "new token") }
    state.withLock { state in
      if !ofRetry.isEmpty { state.retrySecrets = ofRetry }
      state.shared = Set(ofNewToken)
      state.exhausted.formIntersection(state.shared)
      let others = ofNewToken.filter { !state.exhausted.contains($0) }
      if !others.isEmpty { state.newTokenSecrets = others }
    }
  }

  /// Nil where GnuTLS cannot.
  private static func derive(_ secret: [UInt8], _ purpose: String) -> [UInt8]? {
    let label = Array("agent-stream \(purpose)".utf8)
    var key = [UInt8](repeating: 0, count: 32)
    let code = gnutls_hmac_fast(GNUTLS_MAC_SHA256, secret, secret.count, label, label.count, &key)
    return code == 0 ? key : nil
  }

  /// The time that a token carries.
  private func stamp(_ now: Timestamp) -> UInt64 {
    guard let secondsSince1970 else { return now.nanoseconds }
    return UInt64(clamping: max(secondsSince1970(), 0)) &* 1_000_000_000
  }

  /// Judges a client's first packet, whose token is used up with that.
  ///
  /// - Parameter random: makes another secret where the memory of used tokens is full.
  func verdict(
    on initial: ngtcp2_pkt_hd, from path: NetworkPath, at now: Timestamp, random: RandomSource
  ) -> Verdict {
    guard let token = initial.token, initial.tokenlen > 0 else { return .notValidated }
    switch Int32(token[0]) {
    case NGTCP2_CRYPTO_TOKEN_MAGIC_RETRY2:
      var original = ngtcp2_cid()
      var destination = initial.dcid
      for secret in state.withLock({ $0.retrySecrets }) {
        let code = path.withCPath {
          ngtcp2_crypto_verify_retry_token2(
            &original, token, initial.tokenlen, secret, secret.count, initial.version, $0.pointee.remote.addr,
            $0.pointee.remote.addrlen, &destination, UInt64(Self.retryLifetime.nanosecondsClamped), stamp(now))
        }
        switch code {
        case 0: return .validatedByRetry(originalDestination: original)
        // Not sealed under this secret.
        case NGTCP2_CRYPTO_ERR_UNREADABLE_TOKEN: continue
        default: return .refused
        }
      }
      // Sealed by nobody we know: another server's token, or one of before a restart.
      return .notValidated
    case NGTCP2_CRYPTO_TOKEN_MAGIC_REGULAR:
      let secret = state.withLock { $0.newTokenSecrets }.first { secret in
        path.withCPath {
          ngtcp2_crypto_verify_regular_token(
            token, initial.tokenlen, secret, secret.count, $0.pointee.remote.addr, $0.pointee.remote.addrlen,
            UInt64(Self.newTokenLifetime.nanosecondsClamped), stamp(now))
        } == 0
      }
      guard let secret else { return .notValidated }
      let bytes = UnsafeRawBufferPointer(start: token, count: initial.tokenlen)
      return spend(bytes, under: secret, random) ? .validatedByNewToken : .notValidated
    default: return .notValidated
    }
  }

  /// The Retry packet that answers `initial`; nil if it cannot be made.
  ///
  /// - Parameter source: the connection id that the client goes on with.
  func retryPacket(
    for initial: ngtcp2_pkt_hd, source: ngtcp2_cid, from path: NetworkPath, at now: Timestamp
  ) -> [UInt8]? {
    let secret = state.withLock { $0.retrySecrets[0] }
    var source = source
    var original = initial.dcid
    var destination = initial.scid
    let token = Self.bytes(Self.tokenCapacity) { buffer in
      path.withCPath {
        ngtcp2_crypto_generate_retry_token2(
          buffer, secret, secret.count, initial.version, $0.pointee.remote.addr, $0.pointee.remote.addrlen, &source,
          &original, stamp(now))
      }
    }
    guard !token.isEmpty else { return nil }
    let packet = Self.bytes(2 * Self.tokenCapacity) {
      ngtcp2_crypto_write_retry(
        $0, 2 * Self.tokenCapacity, initial.version, &destination, &source, &original, token, token.count)
    }
    return packet.isEmpty ? nil : packet
  }

  /// A token with which the client at `path` may begin its next connection; empty if it cannot be made.
  func newToken(for path: NetworkPath, at now: Timestamp) -> [UInt8] {
    let secret = state.withLock { $0.newTokenSecrets[0] }
    return Self.bytes(Self.tokenCapacity) { buffer in
      path.withCPath {
        ngtcp2_crypto_generate_regular_token(
          buffer, secret, secret.count, $0.pointee.remote.addr, $0.pointee.remote.addrlen, stamp(now))
      }
    }
  }

  /// Whether a token of ours is used for the first time, on whichever loop.
  private func spend(_ token: UnsafeRawBufferPointer, under secret: [UInt8], _ random: RandomSource) -> Bool {
    state.withLock { state in
      // Another loop may have filled the memory, and given the secret up, since the token was opened.
      guard state.newTokenSecrets.contains(secret) else { return false }
      switch state.spent.insert(token) {
      case .fresh: return true
      case .known: return false
      case .full:
        // None that was given out until now is known to be unused any more.
        state.exhausted.formUnion(state.shared.intersection(state.newTokenSecrets))
        state.newTokenSecrets = [random.bytes(32)]
        state.spent.removeAll()
        return true
      }
    }
  }

  private static func bytes(
    _ capacity: Int, _ write: (UnsafeMutablePointer<UInt8>?) -> ngtcp2_ssize
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
      initialized = max(0, write(buffer.baseAddress))
    }
  }
}
