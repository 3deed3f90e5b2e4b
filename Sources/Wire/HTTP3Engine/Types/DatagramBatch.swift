/// The two ECN bits of an IP header (RFC 3168 § 5); the raw value is the wire value.
package enum ECNCodepoint: UInt8, Sendable {
  case notECT = 0
  case ect1 = 1
  case ect0 = 2
  case congestionExperienced = 3
}

/// Datagrams of one path and one ECN mark, ready for one send call.
///
/// All segments have the size of the first but the last, which may be shorter: the shape that UDP GSO takes.
package struct DatagramBatch {
  /// Limits of Linux's UDP_SEGMENT: 64 segments, and a total below 65 535 bytes with headers, 48 for IPv6.
  package static let maximumSegments = 64
  package static let capacity = 65_480

  package private(set) var path: NetworkPath
  package private(set) var ecn: ECNCodepoint
  /// The size of each datagram but the last, in bytes.
  package private(set) var segmentSize = 0
  package private(set) var byteCount = 0
  package private(set) var segmentCount = 0
  /// Whether the connection that filled it may have more to send at the same time: if not, and nothing was asked of the
  /// connection since, it need not be asked again.
  package internal(set) var mayHaveMore = true
  package let storage: UnsafeMutableRawBufferPointer

  /// Allocates the storage; one batch is reused for the life of an event loop or test, then `deallocate()` is called.
  package init() {
    storage = .allocate(byteCount: Self.capacity, alignment: 16)
    path = NetworkPath(local: .loopback(port: 0), remote: .loopback(port: 0))
    ecn = .notECT
  }

  package func deallocate() {
    storage.deallocate()
  }

  package var isEmpty: Bool { segmentCount == 0 }

  /// The bytes that were written, all segments one after the other.
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: storage[..<byteCount])
  }

  /// The bytes of the datagram at `index`.
  package func segment(at index: Int) -> UnsafeRawBufferPointer {
    let start = index * segmentSize
    return UnsafeRawBufferPointer(rebasing: storage[start..<min(start + segmentSize, byteCount)])
  }

  package mutating func removeAll() {
    segmentSize = 0
    byteCount = 0
    segmentCount = 0
    mayHaveMore = true
  }

  /// Takes out a datagram that others follow.
  mutating func remove(at index: Int) {
    precondition(index < segmentCount - 1, "The last datagram may have another size.")
    let start = index * segmentSize
    if let base = storage.baseAddress {
      (base + start).copyMemory(from: base + start + segmentSize, byteCount: byteCount - start - segmentSize)
    }
    byteCount -= segmentSize
    segmentCount -= 1
  }

  var free: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: storage[byteCount...])
  }

  mutating func commit(_ count: Int, path: NetworkPath, ecn: ECNCodepoint) {
    if segmentCount == 0 {
      self.path = path
      self.ecn = ecn
      segmentSize = count
    }
    byteCount += count
    segmentCount += 1
  }
}
