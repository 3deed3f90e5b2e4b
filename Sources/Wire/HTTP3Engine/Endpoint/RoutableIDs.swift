/// A server's part of a load balancers' configuration by which they route connection ids (QUIC-LB,
/// draft-ietf-quic-load-balancers-21): each id names the server, and a key may hide that from others.
///
/// An id is a first byte, with the configuration's number and the length of the rest, then the server's id and a random nonce, both
/// of which the key encrypts.
package struct RoutableIDs: Hashable, Sendable {
  /// Longer ones would leave too short a nonce, of which none may be used twice (§ 9.5 of the draft).
  package static let longestServerID = 7
  /// The length up to which a server's id leaves the bytes that ``LoopSteering`` needs to the nonce; a key frees all of them.
  package static let longestPlainServerID = 3
  /// One more stands for "no configuration".
  package static let greatestNumber = 6

  private let serverID: [UInt8]
  private let number: UInt8
  private let key: [UInt8]?

  /// Nil for an id, number or key that the format has no place for.
  package init?(serverID: [UInt8], number: Int, key: [UInt8]?) {
    guard (1...Self.longestServerID).contains(serverID.count), (0...Self.greatestNumber).contains(number),
      key == nil || key?.count == BlockCipher.keyLength
    else { return nil }
    self.serverID = serverID
    self.number = UInt8(number)
    self.key = key
  }

  /// Makes an id of `length` bytes that leads to a loop, where there are several.
  func make(_ length: Int, for place: LoopPlace?, from random: RandomSource) -> [UInt8] {
    if let key, let id = try? encryptedID(length, under: key, for: place, from: random) { return id }
    var id = plainID(length, from: random)
    place?.claim(&id)
    return id
  }

  /// As many attempts, on average, as there are loops: what is encrypted cannot be directed.
  private func encryptedID(
    _ length: Int, under key: [UInt8], for place: LoopPlace?, from random: RandomSource
  ) throws(HTTP3Error) -> [UInt8] {
    let cipher = try BlockCipher(key: key)
    while true {
      let plain = plainID(length, from: random)
      let id = [plain[0]] + Self.encrypt(Array(plain.dropFirst()), by: cipher)
      if place?.isNamed(by: id) != false { return id }
    }
  }

  private func plainID(_ length: Int, from random: RandomSource) -> [UInt8] {
    [number << 5 | UInt8(truncatingIfNeeded: length - 1) & 0x1f] + serverID
      + random.bytes(max(length - 1 - serverID.count, 0))
  }

  /// Encrypts a server's id and nonce, 5 to 19 bytes: as a block if they make one, else by a Feistel network of four rounds
  /// (§ 5.4 of the draft).
  static func encrypt(_ plain: [UInt8], by cipher: borrowing BlockCipher) -> [UInt8] {
    guard plain.count != 16 else { return cipher.encrypt(plain) }
    let half = (plain.count + 1) / 2
    // The byte in the middle of an odd number is divided.
    let (leftMask, rightMask): (UInt8, UInt8) = plain.count % 2 == 1 ? (0xf0, 0x0f) : (0xff, 0xff)
    var left = Array(plain[..<half])
    var right = Array(plain[(plain.count - half)...])
    left[half - 1] &= leftMask
    right[0] &= rightMask
    for pass in 1...4 as ClosedRange<UInt8> {
      let source = pass % 2 == 1 ? left : right
      let padding = [UInt8](repeating: 0, count: 14 - half)
      let mask = cipher.encrypt(source + padding + [UInt8(plain.count), pass])
      if pass % 2 == 1 {
        for index in 0..<half { right[index] ^= mask[index] }
        right[0] &= rightMask
      } else {
        for index in 0..<half { left[index] ^= mask[index] }
        left[half - 1] &= leftMask
      }
    }
    guard plain.count % 2 == 1 else { return left + right }
    left[half - 1] |= right[0]
    return left + right.dropFirst()
  }
}
