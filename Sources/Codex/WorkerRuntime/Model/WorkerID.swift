import JSONService

/// The name of a worker, such as `desktopw:host:shared`.
package struct WorkerID: Hashable, Sendable {
  package let text: String

  /// nil for a text that the contract does not allow: 3 to 160 of letters, digits and `. _ : -`, in ASCII.
  package init?(_ text: String) {
    guard (3...160).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
    self.text = text
  }

  /// A name for a worker that was given none. It has letters alone: a run of digits is taken for a telephone number by
  /// servers that rewrite payloads.
  init(random: RandomBytes) { text = "codexw_" + Letters.text(random, count: 24) }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

/// Names of random small letters.
enum Letters {
  /// Each of 16 letters stands for half a byte.
  static func text(_ random: RandomBytes, count: Int) -> String {
    let letters = Array("bcdfghjklmnpqrst".utf8)
    let halves = random.make((count + 1) / 2).flatMap { [letters[Int($0 >> 4)], letters[Int($0 & 15)]] }
    return String(decoding: halves.prefix(count), as: UTF8.self)
  }
}
