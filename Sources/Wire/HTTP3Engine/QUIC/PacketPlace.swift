import CQUIC

/// The memory that the library writes a packet, its path and its mark to; valid during one write.
struct PacketPlace {
  /// The largest datagram that is ever written; path-MTU discovery probes up to 1 444 bytes.
  static let largestDatagram = 1_500

  let bytes: UnsafeMutableRawBufferPointer
  let path: UnsafeMutablePointer<ngtcp2_path>
  /// Nil for a packet that is not marked: without a place for its mark the library sets none.
  let info: UnsafeMutablePointer<ngtcp2_pkt_info>?

  var base: UnsafeMutablePointer<UInt8>? { bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) }

  /// Lends a place within `bytes`.
  static func with<Result>(
    _ bytes: UnsafeMutableRawBufferPointer, isMarked: Bool, _ body: (PacketPlace) -> Result
  ) -> Result {
    var storage = ngtcp2_path_storage()
    var info = ngtcp2_pkt_info()
    let bytes = UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(largestDatagram))
    return withUnsafeMutablePointer(to: &storage) { storage in
      withUnsafeMutablePointer(to: &info) { info in
        // The storage points into itself, so it is used where it is.
        ngtcp2_path_storage_zero(storage)
        return body(
          PacketPlace(
            bytes: bytes, path: UnsafeMutableRawPointer(storage).assumingMemoryBound(to: ngtcp2_path.self),
            info: isMarked ? info : nil))
      }
    }
  }

  /// The packet of that size.
  func written(_ count: Int) -> WrittenDatagram {
    WrittenDatagram(
      count: count, path: NetworkPath(path.pointee),
      ecn: info.flatMap { ECNCodepoint(rawValue: $0.pointee.ecn & 3) } ?? .notECT)
  }
}

/// A datagram that was written.
struct WrittenDatagram {
  let count: Int
  let path: NetworkPath
  let ecn: ECNCodepoint
}
