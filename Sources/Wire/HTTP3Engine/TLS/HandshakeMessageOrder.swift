/// Checks that TLS handshake messages arrive on the side and at the encryption level at which QUIC allows them.
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

  private let isServer: Bool
  private var progress: [Progress] = [.type, .type, .type]

  /// - Parameter isServer: whether the messages are a client's.
  init(isServer: Bool) { self.isServer = isServer }

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
        guard value <= (level == .oneRTT ? Self.longestTicket : Self.longestMessage) else { return .tooLong(value) }
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

  /// RFC 8446 § 4 without what QUIC forbids (EndOfEarlyData, KeyUpdate) and what is never asked for here (a client's
  /// certificate, a certificate that is compressed).
  private func allows(_ type: UInt8, at level: Level) -> Bool {
    switch (level, isServer) {
    case (.initial, true): type == MessageType.clientHello
    case (.initial, false): type == MessageType.serverHello
    case (.handshake, true): type == MessageType.finished
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
