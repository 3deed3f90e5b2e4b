/// Updates Internet checksums without reading what they cover (RFC 1624 § 3, equation 3).
enum InternetChecksum {
  /// The checksum after one 16-bit word that it covers has changed.
  static func updated(_ checksum: UInt16, from old: UInt16, to new: UInt16) -> UInt16 {
    var sum = UInt32(~checksum) + UInt32(~old) + UInt32(new)
    sum = (sum & 0xFFFF) + (sum >> 16)
    sum = (sum & 0xFFFF) + (sum >> 16)
    return ~UInt16(truncatingIfNeeded: sum)
  }
}
