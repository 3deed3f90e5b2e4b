/// Writes JSON text with a stack of its own, so that a value built in code may be nested at will.
struct JSONWriter {
  /// The characters that are escaped.
  enum Spelling {
    /// The characters that JSON asks to be escaped.
    case required
    /// The characters of `required`, and those that a person could not see or that may steer a terminal.
    case visible
    /// The characters of `visible`, and each string with letters from right to left apart from what is around it (UAX
    /// #9): it would be shown in the place of its neighbour. For terminals; it is no JSON.
    case isolated
  }

  private enum Step {
    case value(JSONValue)
    case text(StaticString)
    case name(String)
  }

  private(set) var bytes: [UInt8] = []
  private let spelling: Spelling

  init(spelling: Spelling = .required) { self.spelling = spelling }

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
    let isIsolated = spelling == .isolated && string.unicodeScalars.contains(where: Self.runsFromRightToLeft)
    if isIsolated { append(text: "\u{2068}") }
    bytes.append(UInt8(ascii: "\""))
    switch spelling {
    case .required: append(escaping: string)
    case .visible, .isolated:
      var view = VisibleText()
      for scalar in string.unicodeScalars {
        if scalar == "\"" || scalar == "\\" || !view.shows(scalar) {
          append(escape: scalar)
        } else {
          bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
    if isIsolated { append(text: "\u{2069}") }
  }

  /// One scalar as JSON's escape, above U+FFFF as a surrogate pair.
  mutating func append(escape scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": write("\\\"")
    case "\\": write("\\\\")
    case "\n": write("\\n")
    case "\r": write("\\r")
    case "\t": write("\\t")
    default:
      for unit in String(Character(scalar)).utf16 {
        write("\\u")
        for shift in [12, 8, 4, 0] { bytes.append(Self.hexadecimal[Int(unit >> UInt16(shift)) & 15]) }
      }
    }
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)

  /// The blocks of the scripts that are written so (UAX #9, classes R and AL).
  private static func runsFromRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }

  private mutating func append(escaping string: String) {
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""): write("\\\"")
      case UInt8(ascii: "\\"): write("\\\\")
      case 0x0A: write("\\n")
      case 0x0D: write("\\r")
      case 0x09: write("\\t")
      case 0..<0x20:
        write("\\u00")
        bytes.append(Self.hexadecimal[Int(byte >> 4)])
        bytes.append(Self.hexadecimal[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
  }
}
