import CQUIC

/// A connection id (RFC 9000 § 5.1), at most 20 bytes, hashable without an allocation.
struct ConnectionID: Hashable {
  /// The length of the ids that we give out.
  static let ownLength = 16

  private var high: UInt64 = 0
  private var middle: UInt64 = 0
  private var low: UInt32 = 0
  private var length: UInt8 = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    length = UInt8(min(bytes.count, 20))
    withUnsafeMutableBytes(of: &high) { $0.copyBytes(from: bytes.prefix(8)) }
    withUnsafeMutableBytes(of: &middle) { $0.copyBytes(from: bytes.dropFirst(8).prefix(8)) }
    withUnsafeMutableBytes(of: &low) { $0.copyBytes(from: bytes.dropFirst(16).prefix(4)) }
  }

  init(_ cid: ngtcp2_cid) {
    self = withUnsafeBytes(of: cid.data) {
      ConnectionID(UnsafeRawBufferPointer(rebasing: $0.prefix(cid.datalen)))
    }
  }
}

extension ngtcp2_cid {
  var bytes: [UInt8] { withUnsafeBytes(of: data) { Array($0.prefix(datalen)) } }

  /// A fresh id of `length` bytes.
  static func random(_ length: Int, from random: RandomSource) -> ngtcp2_cid {
    var cid = ngtcp2_cid()
    ngtcp2_cid_init(&cid, random.bytes(length), length)
    return cid
  }
}
