/// A version of QUIC that the engine speaks; the raw value is the one on the wire.
package enum QUICVersion: UInt32, Hashable, Sendable, CaseIterable {
  /// RFC 9000.
  case v1 = 1
  /// RFC 9369: version 1 with other constants, so that middleboxes do not settle on those of version 1.
  case v2 = 0x6b33_43cf
}
