/// Checks that TLS handshake messages arrive on the side and at the encryption level at which QUIC allows them, and a
/// client's in their order.
///
/// A KeyUpdate must not reach TLS (RFC 9001 § 6): GnuTLS (3.7.9) would install the next keys, which fails an assertion
/// of ngtcp2's (1.11) and ends the process. Nothing may follow the peer's Finished in Handshake packets (RFC 9001 §
/// 4.1.3); GnuTLS would keep it and take it for a message that comes after the handshake.
struct HandshakeMessageOrder {
  enum Level: Int {
    case initial
    case handshake
    case oneRTT
  }

  enum Breach: Equatable {
    /// A message of this type has no place here.
    case unexpected(type: UInt8)
    case tooLong(UInt32)
  }

  /// The types of RFC 8446 § 4.
  private enum MessageType {
    static let clientHello: UInt8 = 1
    static let serverHello: UInt8 = 2
    static let newSessionTicket: UInt8 = 4
    static let encryptedExtensions: UInt8 = 8
    static let certificate: UInt8 = 11
    static let certificateRequest: UInt8 = 13
    static let certificateVerify: UInt8 = 15
    static let finished: UInt8 = 20
  }

  /// The message that a client sends next in Handshake packets (RFC 8446 § 4.4).
  private enum ClientTurn {
    /// Only behind a server's CertificateRequest.
    case certificate
    case certificateVerify
    case finished

    var type: UInt8 {
      switch self {
      case .certificate: MessageType.certificate
      case .certificateVerify: MessageType.certificateVerify
      case .finished: MessageType.finished
      }
    }

    /// - Parameter length: that of this turn's message. A Certificate without a certificate has an empty context and an
    ///   empty list, and nothing to be verified.
    func next(after length: UInt32) -> ClientTurn {
      switch self {
      case .certificate: length <= 4 ? .finished : .certificateVerify
      case .certificateVerify, .finished: .finished
      }
    }
  }

  private enum Progress {
    case type
    case length(type: UInt8, digits: Int, value: UInt32)
    case body(type: UInt8, left: Int)
    /// Finished was the last message of the level.
    case over
  }

  /// The longest message that is handed on, in bytes. A ticket itself has at most 65 535 (RFC 8446 § 4.6.1); GnuTLS takes
  /// messages of 128 KiB.
  static let longestMessage: UInt32 = 128 << 10
  static let longestTicket: UInt32 = 64 << 10
  /// A client's, of which the longest has its certificates: anybody may send them.
  static let longestClientMessage: UInt32 = 32 << 10

  private let isServer: Bool
  private var clientTurn = ClientTurn.finished
  private var progress: [Progress] = [.type, .type, .type]

  /// - Parameter isServer: whether the messages are a client's.
  init(isServer: Bool) { self.isServer = isServer }

  /// A server has asked its client for a certificate.
  mutating func certificateWasRequested() { clientTurn = .certificate }

  /// Reads the next bytes of a level's CRYPTO stream, in order and however they are cut; answers what is wrong with them.
  mutating func breach(in bytes: UnsafeRawBufferPointer, at level: Level) -> Breach? {
    var rest = bytes[...]
    while let first = rest.first {
      switch progress[level.rawValue] {
      case .type:
        guard allows(first, at: level) else { return .unexpected(type: first) }
        rest = rest.dropFirst()
        progress[level.rawValue] = .length(type: first, digits: 0, value: 0)
      case .length(let type, let digits, let value):
        rest = rest.dropFirst()
        let value = value << 8 | UInt32(first)
        guard digits == 2 else {
          progress[level.rawValue] = .length(type: type, digits: digits + 1, value: value)
          continue
        }
        guard value <= longest(at: level) else { return .tooLong(value) }
        if isServer, level == .handshake { clientTurn = clientTurn.next(after: value) }
        progress[level.rawValue] = Self.body(type, left: Int(value))
      case .body(let type, let left):
        let taken = min(left, rest.count)
        rest = rest.dropFirst(taken)
        progress[level.rawValue] = Self.body(type, left: left - taken)
      case .over: return .unexpected(type: first)
      }
    }
    return nil
  }

  private static func body(_ type: UInt8, left: Int) -> Progress {
    guard left == 0 else { return .body(type: type, left: left) }
    return type == MessageType.finished ? .over : .type
  }

  private func longest(at level: Level) -> UInt32 {
    switch level {
    case .initial: Self.longestMessage
    case .handshake: isServer ? Self.longestClientMessage : Self.longestMessage
    case .oneRTT: Self.longestTicket
    }
  }

  /// RFC 8446 § 4 without what QUIC forbids (EndOfEarlyData, KeyUpdate, a request for a certificate after the
  /// handshake) and what is never asked for here (a certificate that is compressed).
  private func allows(_ type: UInt8, at level: Level) -> Bool {
    switch (level, isServer) {
    case (.initial, true): type == MessageType.clientHello
    case (.initial, false): type == MessageType.serverHello
    case (.handshake, true): type == clientTurn.type
    case (.handshake, false):
      switch type {
      case MessageType.encryptedExtensions, MessageType.certificateRequest, MessageType.certificate,
        MessageType.certificateVerify, MessageType.finished:
        true
      default: false
      }
    case (.oneRTT, true): false
    case (.oneRTT, false): type == MessageType.newSessionTicket
    }
  }
}
