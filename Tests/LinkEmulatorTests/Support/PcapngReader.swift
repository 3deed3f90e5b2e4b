/// Reads what a pcapng file holds, by the specification and without the writer's code.
struct PcapngReader {
  struct Packet: Equatable {
    var nanoseconds: UInt64
    var originalLength: Int
    var bytes: [UInt8]
    var comment: String?
    var flags: UInt32?
  }

  struct Malformed: Error {
    var reason: String
  }

  var interfaceName: String?
  var timeResolution: UInt8?
  var linkType = 0
  var snapLength = 0
  var packets: [Packet] = []

  init(_ file: [UInt8]) throws {
    var offset = 0
    while offset < file.count {
      guard file.count - offset >= 12 else { throw Malformed(reason: "a block's header is cut") }
      let type = Self.number(file, offset, 4)
      let length = Self.number(file, offset + 4, 4)
      guard length % 4 == 0, length >= 12, offset + length <= file.count else {
        throw Malformed(reason: "the length \(length) of a block")
      }
      guard Self.number(file, offset + length - 4, 4) == length else {
        throw Malformed(reason: "the second length of a block differs")
      }
      try read(type, Array(file[offset + 8..<offset + length - 4]), isFirst: offset == 0)
      offset += length
    }
  }

  private mutating func read(_ type: Int, _ body: [UInt8], isFirst: Bool) throws {
    guard isFirst == (type == 0x0A0D_0D0A) else { throw Malformed(reason: "a section does not come first") }
    switch type {
    case 0x0A0D_0D0A:
      guard Self.number(body, 0, 4) == 0x1A2B_3C4D, Self.number(body, 4, 2) == 1 else {
        throw Malformed(reason: "byte order or version")
      }
    case 1:
      linkType = Self.number(body, 0, 2)
      snapLength = Self.number(body, 4, 4)
      let options = try Self.options(Array(body[8...]))
      interfaceName = options[2].map { String(decoding: $0, as: UTF8.self) }
      timeResolution = options[9]?.first
    case 6:
      let captured = Self.number(body, 12, 4)
      let padded = (captured + 3) / 4 * 4
      guard 20 + padded <= body.count else { throw Malformed(reason: "a packet is longer than its block") }
      let options = try Self.options(Array(body[(20 + padded)...]))
      packets.append(
        Packet(
          nanoseconds: UInt64(Self.number(body, 4, 4)) << 32 | UInt64(Self.number(body, 8, 4)),
          originalLength: Self.number(body, 16, 4), bytes: Array(body[20..<20 + captured]),
          comment: options[1].map { String(decoding: $0, as: UTF8.self) },
          flags: options[2].map { UInt32(Self.number($0, 0, 4)) }))
    default: throw Malformed(reason: "the block type \(type)")
    }
  }

  private static func options(_ bytes: [UInt8]) throws -> [Int: [UInt8]] {
    var result: [Int: [UInt8]] = [:]
    var offset = 0
    while offset + 4 <= bytes.count {
      let code = number(bytes, offset, 2)
      let length = number(bytes, offset + 2, 2)
      if code == 0 { return result }
      guard offset + 4 + length <= bytes.count else { throw Malformed(reason: "an option is cut") }
      result[code] = Array(bytes[offset + 4..<offset + 4 + length])
      offset += 4 + (length + 3) / 4 * 4
    }
    throw Malformed(reason: "the options have no end")
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }
}
