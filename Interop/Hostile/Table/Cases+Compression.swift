import EnginePair
import HTTP3Engine

// QPACK (RFC 9204).

extension HostileCase {
  private static func section(
    _ name: String, _ does: String, _ rule: String, _ bytes: [UInt8]
  ) -> HostileCase {
    response(
      name, does, rule, [.closes(.qpackDecompressionFailed)], Wire.http(1, bytes) + Wire.data(Wire.body))
  }

  private static func instruction(
    _ name: String, _ does: String, _ rule: String, on place: Place, _ bytes: [UInt8]
  ) -> HostileCase {
    late(
      name, does, rule, [.closes(place == .encoder ? .qpackEncoderStreamError : .qpackDecoderStreamError)],
      .write(bytes, on: place))
  }

  /// The client's whole table holds one entry of nearly its size, and a section names it as often as 100 kB let it.
  private static func bomb(_ settings: ClientSettings) -> [UInt8]? {
    guard settings.tableCapacity >= 1_000 else { return nil }
    let capacity = min(settings.tableCapacity, 4_096)
    let value = String(repeating: "a", count: Int(capacity) - 40)
    return Wire.capacity(capacity) + Wire.insertion("x-bomb", value)
  }

  static let compression: [HostileCase] = [
    section(
      "qpack-static-beyond", "names entry 99 of the static table, which has 99", "RFC 9204 § 3.1",
      [0, 0, 0xd9] + Wire.prefixed(0xc0, bits: 6, 99)),
    section(
      "qpack-dynamic-beyond", "names an entry of the empty dynamic table", "RFC 9204 § 2.2.3", [0, 0, 0xd9, 0x80]),
    section(
      "qpack-post-base-beyond", "names an entry after the base, of an empty table", "RFC 9204 § 2.2.3",
      [0, 0, 0xd9, 0x10]),
    section(
      "qpack-insert-count", "says a Required Insert Count that cannot be", "RFC 9204 § 4.5.1.1",
      Wire.prefixed(0, bits: 8, 100_000) + [0, 0xd9]),
    section(
      "qpack-base-negative", "says a Base below zero", "RFC 9204 § 4.5.1.2", [0, 0x85, 0xd9]),
    section(
      "qpack-integer-overflow", "sends an integer of more than 62 bits", "RFC 9204 § 4.1.1",
      [0, 0, 0xd9, 0xff] + [UInt8](repeating: 0xff, count: 12) + [0x01]),
    section(
      "qpack-truncated", "ends a field section in the middle of a string", "RFC 9204 § 2.2",
      [0, 0, 0xd9, 0x23] + Array("x-y".utf8) + [50, 0x61]),
    section(
      "qpack-huffman-padding", "pads a Huffman string with zeros", "RFC 7541 § 5.2",
      [0, 0, 0xd9, 0x23] + Array("x-y".utf8) + [0x81, 0x18]),
    section(
      "qpack-huffman-eos", "sends the end-of-string symbol inside of a Huffman string", "RFC 7541 § 5.2",
      [0, 0, 0xd9, 0x23] + Array("x-y".utf8) + [0x84, 0xff, 0xff, 0xff, 0xff]),
    HostileCase.late(
      "qpack-capacity-beyond", "sets a table capacity above what the client allows", "RFC 9204 § 4.3.1",
      [.closes(.qpackEncoderStreamError)], .compress(.encoder) { Wire.capacity($0.tableCapacity + 1) }),
    instruction(
      "qpack-insert-static-beyond", "inserts with a name that the static table does not have", "RFC 9204 § 3.1",
      on: .encoder, Wire.prefixed(0xc0, bits: 6, 99) + [1, 0x61]),
    instruction(
      "qpack-insert-dynamic-beyond", "inserts with a name that the dynamic table does not have", "RFC 9204 § 3.2.4",
      on: .encoder, [0x80, 1, 0x61]),
    instruction(
      "qpack-duplicate-beyond", "duplicates an entry that there is not", "RFC 9204 § 3.2.4", on: .encoder, [0x00]),
    instruction(
      "qpack-insert-too-large", "inserts into a table of no capacity", "RFC 9204 § 3.2.2", on: .encoder,
      Wire.insertion("x-name", "value")),
    HostileCase.late(
      "qpack-insert-endless", "begins to insert a value of 2^40 bytes and continues for 256 kB", "RFC 9204 § 7.3",
      [.closes(.qpackEncoderStreamError)],
      .compress(.encoder) {
        $0.tableCapacity == 0
          ? nil
          : Wire.capacity(min($0.tableCapacity, 4_096)) + Wire.prefixed(0x40, bits: 5, 4) + Array("name".utf8)
            + Wire.prefixed(0, bits: 7, 1 << 40) + [UInt8](repeating: 0x61, count: 256 << 10)
      }),
    instruction(
      "qpack-increment-zero", "sends an Insert Count Increment of 0", "RFC 9204 § 4.4.3", on: .decoder, [0x00]),
    instruction(
      "qpack-increment-beyond", "acknowledges insertions that the client never made", "RFC 9204 § 4.4.3",
      on: .decoder, Wire.prefixed(0x00, bits: 6, 1_000)),
    instruction(
      "qpack-acknowledgement-unknown", "acknowledges a field section of a stream that had none", "RFC 9204 § 4.4.1",
      on: .decoder, Wire.prefixed(0x80, bits: 7, 4_000)),
    HostileCase.late(
      "qpack-cancellation-unknown", "cancels a stream that makes no use of the table", "RFC 9204 § 4.4.2", [.success],
      .write(Wire.prefixed(0x40, bits: 6, 4), on: .decoder)),
    HostileCase(
      "qpack-blocked", "uses an entry before it inserts it, as the client allows", "RFC 9204 § 2.1.2", [.success],
      [
        .greet(), .untilRequest,
        .compress(.request, isLast: true) {
          $0.blockedStreams == 0 || $0.tableCapacity < 200
            ? nil : Wire.http(1, [2, 0, 0xd9, 0x80]) + Wire.data(Wire.body)
        },
        .pause(.milliseconds(100)),
        .compress(.encoder) { Wire.capacity(min($0.tableCapacity, 4_096)) + Wire.insertion("x-late", "value") },
      ]),
    HostileCase(
      "qpack-blocked-unasked", "uses an entry before it inserts it, of a client that allows no waiting",
      "RFC 9204 § 2.1.2", [.closes(.qpackDecompressionFailed)],
      [
        .greet(), .untilRequest,
        .compress(.request) {
          $0.blockedStreams > 0 || $0.tableCapacity < 200 ? nil : Wire.http(1, [2, 0, 0xd9, 0x80])
        },
      ]),
    HostileCase(
      "qpack-bomb", "names an entry of 4 kB 100 000 times in one section", "RFC 9204 § 7.2",
      [
        .resets(.excessiveLoad, .requestCancelled, .messageError), .closes(.qpackDecompressionFailed, .excessiveLoad),
        .refusal,
      ],
      [
        .greet(), .untilRequest, .compress(.encoder, bomb), .pause(.milliseconds(100)),
        .write(
          Wire.http(1, [2, 0, 0xd9] + [UInt8](repeating: 0x80, count: 100_000)) + Wire.data(Wire.body), on: .request,
          isLast: true),
      ]),
  ]
}
