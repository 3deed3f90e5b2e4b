/// Writes one JSON text into memory that is used again for the next one.
///
/// Names come from the program and are written as they are; values may hold anything.
package struct QlogWriter {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init() {}

  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  package mutating func object(_ body: (inout QlogWriter) -> Void) {
    nested(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
  }

  package mutating func array(_ body: (inout QlogWriter) -> Void) {
    nested(UInt8(ascii: "["), UInt8(ascii: "]"), body)
  }

  /// The name of a member, before its value.
  package mutating func name(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    append(name)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func number(_ value: some BinaryInteger) {
    separate()
    append(UInt64(clamping: value))
  }

  /// Milliseconds with as many decimals as a microsecond needs.
  package mutating func milliseconds(nanoseconds: UInt64) {
    separate()
    let microseconds = nanoseconds / 1_000
    append(microseconds / 1_000)
    var rest = microseconds % 1_000
    guard rest > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var unit: UInt64 = 100
    while rest > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / unit))
      rest %= unit
      unit /= 10
    }
  }

  package mutating func bool(_ value: Bool) {
    separate()
    append(value ? "true" : "false")
  }

  /// Any text; what JSON does not allow in a string is escaped (RFC 8259 § 7), the separators of records too.
  package mutating func text(_ value: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x00..<0x20, 0x7f:
        append("\\u00")
        appendHex(byte)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func hex(_ value: some Sequence<UInt8>) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    for byte in value { appendHex(byte) }
    bytes.append(UInt8(ascii: "\""))
  }

  // MARK: Members

  package mutating func object(_ name: StaticString, _ body: (inout QlogWriter) -> Void) {
    self.name(name)
    object(body)
  }

  package mutating func array(_ name: StaticString, _ body: (inout QlogWriter) -> Void) {
    self.name(name)
    array(body)
  }

  package mutating func number(_ name: StaticString, _ value: some BinaryInteger) {
    self.name(name)
    number(value)
  }

  package mutating func milliseconds(_ name: StaticString, nanoseconds: UInt64) {
    self.name(name)
    milliseconds(nanoseconds: nanoseconds)
  }

  package mutating func bool(_ name: StaticString, _ value: Bool) {
    self.name(name)
    bool(value)
  }

  package mutating func text(_ name: StaticString, _ value: String) {
    self.name(name)
    text(value)
  }

  package mutating func hex(_ name: StaticString, _ value: some Sequence<UInt8>) {
    self.name(name)
    hex(value)
  }

  // MARK: Parts

  private mutating func nested(_ opening: UInt8, _ closing: UInt8, _ body: (inout QlogWriter) -> Void) {
    separate()
    bytes.append(opening)
    needsComma = false
    body(&self)
    bytes.append(closing)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ value: UInt64) {
    let start = bytes.count
    var rest = value
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  private mutating func appendHex(_ byte: UInt8) {
    bytes.append(Self.digit(byte >> 4))
    bytes.append(Self.digit(byte & 0x0f))
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }
}
