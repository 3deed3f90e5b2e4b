/// A QUIC packet of a captured datagram, as far as it could be read.
struct TracePacket: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case initial, zeroRTT, handshake, retry, oneRTT, versionNegotiation
  }

  var kind: Kind
  /// nil for a short header.
  var version: UInt32?
  /// In hexadecimal digits; empty where there is none or, for a short header, where it is not known.
  var destinationID = ""
  var sourceID = ""
  /// Of an Initial, empty without one, and of a Retry.
  var token = ""
  /// nil where the header could not be decrypted.
  var number: UInt64?
  /// All of it, header and authentication tag included.
  var bytes = 0
  /// The length of the encrypted part with its tag; nil where that is not known.
  var payloadBytes: Int?
  /// The key phase bit of a short header, where it could be decrypted.
  var keyPhase: Bool?

  init(_ kind: Kind, version: UInt32? = nil) {
    self.kind = kind
    self.version = version
  }
}

/// The versions that matter here.
enum TraceVersion {
  static let negotiation: UInt32 = 0
  static let version1: UInt32 = 1
  /// RFC 9369.
  static let version2: UInt32 = 0x6B33_43CF

  static func text(_ version: UInt32) -> String { "0x" + String(version, radix: 16) }
}
