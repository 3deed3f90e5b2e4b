package import HTTP3Engine

/// Addresses of names in the form of hosts(5): a line an address, followed by its names.
package struct HostsFile: Sendable {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The name's addresses in the order of the file, each once.
  package func addresses(of name: HostName) -> [NetworkAddress] {
    var found: [NetworkAddress] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let words = line.prefix { $0 != UInt8(ascii: "#") }.split(whereSeparator: Self.isBlank)
      guard words.count > 1, words.dropFirst().contains(where: { Self.isName($0, name) }),
        let address = NetworkAddress(literal: String(decoding: words[0], as: UTF8.self), port: 0),
        !found.contains(address)
      else { continue }
      found.append(address)
    }
    return found
  }

  private static func isName(_ word: ArraySlice<UInt8>, _ name: HostName) -> Bool {
    word.elementsEqual(name.text.utf8) { $0 == $1 || (0x41...0x5a).contains($0) && $0 | 0x20 == $1 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
