import Testing

@testable import HTTP3Engine

@Suite struct TransportParameterListTests {
  private func isRepetitive(_ list: [UInt8]) -> Bool {
    list.withUnsafeBytes { TransportParameterList.isRepetitive($0) }
  }

  @Test(
    arguments: [
      ([], false),
      ([0x0c, 0], false),
      ([0x0c, 0, 0x0c, 0], true),
      ([0x01, 1, 5, 0x03, 2, 0x45, 0xdc, 0x01, 1, 6], true),
      // The same number, written in two ways.
      ([0x0c, 0, 0x40, 0x0c, 0], true),
      // One inside the other's value.
      ([0x05, 4, 0x05, 0, 0x05, 0, 0x06, 0], false),
      // What ends in the middle is the library's to refuse.
      ([0x0c, 0, 0x0c], false), ([0x0c, 0, 0x0c, 3, 1], false), ([0xff], false),
      ([0x0c, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0c, 0], false),
    ] as [([UInt8], Bool)])
  func findsWhatIsGivenTwice(list: [UInt8], expected: Bool) {
    #expect(isRepetitive(list) == expected)
  }

  /// An extension list with the parameters behind another extension.
  private func extensions(_ parameters: [UInt8]) -> [UInt8] {
    let all = [0, 0x10, 0, 2, 9, 9] + [0, 0x39, 0, UInt8(parameters.count)] + parameters
    return [0, UInt8(all.count)] + all
  }

  @Test(arguments: [[0x0c, 0], [0x0c, 0, 0x0c, 0]] as [[UInt8]])
  func looksIntoBothMessagesThatCarryThem(parameters: [UInt8]) {
    let hello = [3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0x13, 1, 1, 0] + extensions(parameters)
    for (message, isClientHello) in [(hello, true), (extensions(parameters), false)] {
      let found = message.withUnsafeBytes {
        TransportParameterList.isRepetitive(in: $0, isClientHello: isClientHello)
      }
      #expect(found == (parameters.count == 4))
    }
  }

  @Test(arguments: [true, false]) func bytesThatAreNoMessageHaveNone(isClientHello: Bool) {
    for length in 0..<60 {
      let message = [UInt8](repeating: 0xff, count: length)
      let found = message.withUnsafeBytes { TransportParameterList.isRepetitive(in: $0, isClientHello: isClientHello) }
      #expect(!found)
    }
  }
}
