import NIOWebSocket

/// A frame as a client sends it, or as one should not.
struct ClientFrame {
  /// The first byte: the final bit, three reserved bits and the opcode.
  var first: UInt8
  var payload: [UInt8]
  var mask: [UInt8]? = [0x37, 0xfa, 0x21, 0x3d]

  init(_ first: UInt8, _ payload: [UInt8] = [], mask: [UInt8]? = [0x37, 0xfa, 0x21, 0x3d]) {
    self.first = first
    self.payload = payload
    self.mask = mask
  }

  static func text(_ text: String) -> ClientFrame { ClientFrame(0x81, Array(text.utf8)) }
  static func ping(_ payload: String) -> ClientFrame { ClientFrame(0x89, Array(payload.utf8)) }
  static func close(_ code: UInt16, _ reason: String = "") -> ClientFrame {
    ClientFrame(0x88, [UInt8(code >> 8), UInt8(code & 0xff)] + Array(reason.utf8))
  }

  var bytes: [UInt8] {
    let count = payload.count
    let flag: UInt8 = mask == nil ? 0 : 0x80
    var bytes = [first]
    if count < 126 {
      bytes.append(flag | UInt8(count))
    } else if count <= 0xffff {
      bytes += [flag | 126, UInt8(count >> 8), UInt8(count & 0xff)]
    } else {
      bytes.append(flag | 127)
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    }
    guard let mask else { return bytes + payload }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }
}
