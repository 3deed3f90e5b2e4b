import NIOCore

/// A frame as the server sends it: final, without a mask.
struct ServerFrame: Equatable, CustomStringConvertible {
  var first: UInt8
  var payload: [UInt8]

  static func text(_ text: String) -> ServerFrame { ServerFrame(first: 0x81, payload: Array(text.utf8)) }
  static func pong(_ payload: String) -> ServerFrame { ServerFrame(first: 0x8a, payload: Array(payload.utf8)) }
  static let ping = ServerFrame(first: 0x89, payload: [])

  /// The code of a close frame.
  var closeCode: Int? {
    guard first == 0x88, payload.count >= 2 else { return nil }
    return Int(payload[0]) << 8 | Int(payload[1])
  }

  var description: String { "\(String(first, radix: 16)) \(String(decoding: payload.prefix(80), as: UTF8.self))" }

  init(first: UInt8, payload: [UInt8]) {
    self.first = first
    self.payload = payload
  }

  /// Takes the next frame out of the bytes, if it is whole.
  init?(from bytes: inout ByteBuffer) {
    var rest = bytes
    guard let first = rest.readInteger(as: UInt8.self), let length = rest.readInteger(as: UInt8.self) else {
      return nil
    }
    var count: Int? = Int(length)
    if length == 126 { count = rest.readInteger(as: UInt16.self).map(Int.init) }
    if length == 127 { count = rest.readInteger(as: UInt64.self).map(Int.init) }
    guard let count, let payload = rest.readBytes(length: count) else { return nil }
    bytes = rest
    self.init(first: first, payload: payload)
  }
}
