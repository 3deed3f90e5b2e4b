/// Writes JSON text with a stack of its own, so that a value built in code may be nested at will.
struct JSONWriter {
  private enum Step {
    case value(JSONValue)
    case text(StaticString)
    case name(String)
  }

  private(set) var bytes: [UInt8] = []

  mutating func append(_ root: JSONValue) {
    var steps: [Step] = [.value(root)]
    while let step = steps.popLast() {
      switch step {
      case .text(let text): write(text)
      case .name(let name):
        append(string: name)
        write(":")
      case .value(.null): write("null")
      case .value(.bool(let value)): write(value ? "true" : "false")
      case .value(.number(let value)): append(number: value)
      case .value(.string(let value)): append(string: value)
      case .value(.array(let elements)):
        write("[")
        steps.append(.text("]"))
        for (index, element) in elements.enumerated().reversed() {
          steps.append(.value(element))
          if index > 0 { steps.append(.text(",")) }
        }
      case .value(.object(let members)):
        write("{")
        steps.append(.text("}"))
        let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (index, member) in sorted.enumerated().reversed() {
          steps.append(.value(member.value))
          steps.append(.name(member.key))
          if index > 0 { steps.append(.text(",")) }
        }
      }
    }
  }

  private mutating func write(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(number: Double) {
    guard number.isFinite else { return write("null") }
    if let integer = number.spelledAsInteger {
      bytes.append(contentsOf: Array(String(integer).utf8))
    } else {
      bytes.append(contentsOf: Array("\(number)".utf8))
    }
  }

  /// Text that is JSON already.
  mutating func append(text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  mutating func append(string: String) {
    let hexadecimal = Array("0123456789abcdef".utf8)
    bytes.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""): write("\\\"")
      case UInt8(ascii: "\\"): write("\\\\")
      case 0x0A: write("\\n")
      case 0x0D: write("\\r")
      case 0x09: write("\\t")
      case 0..<0x20:
        write("\\u00")
        bytes.append(hexadecimal[Int(byte >> 4)])
        bytes.append(hexadecimal[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
