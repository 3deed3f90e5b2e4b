/// Writes event-stream blocks that ``EventStreamParser`` and every browser read back (HTML § 9.2.5).
public enum EventStreamWriter {
  /// One block: `retry`, `id`, `event`, a `data` line for each line of `data`, and the blank line.
  ///
  /// A stream has one kind of line end, so CR and CR LF in `data` come back as LF. What would end the line is left
  /// out of `id` and `type`, and NUL out of `id`: no value can smuggle in a field.
  /// - Parameters:
  ///   - data: nil for a block that moves the cursor, or sets the reconnection time, without an event.
  ///   - id: nil leaves the last id in force; an empty one clears it.
  ///   - type: nil, empty and `message` are the default and are not written.
  ///   - retryMilliseconds: the reconnection time to ask for; below zero counts as zero.
  public static func encode(
    _ data: String?, id: String? = nil, type: String? = nil, retryMilliseconds: Int? = nil
  ) -> [UInt8] {
    encode(bytes: data?.utf8, id: id, type: type, retryMilliseconds: retryMilliseconds)
  }

  /// The block of `event`; its id is written if it has one.
  public static func encode(_ event: ServerSentEvent, retryMilliseconds: Int? = nil) -> [UInt8] {
    let id = event.lastEventID.isEmpty ? nil : event.lastEventID
    return encode(event.data, id: id, type: event.type, retryMilliseconds: retryMilliseconds)
  }

  /// The same from UTF-8 bytes, such as an encoder's.
  public static func encode(
    bytes data: (some Collection<UInt8>)?, id: String? = nil, type: String? = nil,
    retryMilliseconds: Int? = nil
  ) -> [UInt8] {
    var block: [UInt8] = []
    block.reserveCapacity((data?.count ?? 0) + (id?.utf8.count ?? 0) + (type?.utf8.count ?? 0) + 64)
    if let retryMilliseconds { appendField("retry", "\(max(0, retryMilliseconds))".utf8, to: &block) }
    if let id { appendField("id", id.utf8.filter { $0 != 0 && !LineEnd.isLineEnd($0) }, to: &block) }
    if let type, !type.isEmpty, !type.hasSameBytes(as: ServerSentEvent.defaultType) {
      appendField("event", type.utf8.filter { !LineEnd.isLineEnd($0) }, to: &block)
    }
    if let data { appendLines("data", data, to: &block) }
    block.append(LineEnd.lineFeed)
    return block
  }

  /// A comment, a line for each of its lines, and a blank line, which readers that wait for whole blocks need.
  ///
  /// Between blocks only: nothing that this type writes leaves a block open.
  public static func comment(_ text: String = "") -> [UInt8] {
    var block: [UInt8] = []
    appendLines("", text.utf8, to: &block)
    block.append(LineEnd.lineFeed)
    return block
  }

  private static func appendLines(
    _ name: String, _ text: some Collection<UInt8>, to block: inout [UInt8]
  ) {
    var rest = text[...]
    while let end = rest.firstIndex(where: LineEnd.isLineEnd) {
      appendField(name, rest[..<end], to: &block)
      var next = rest.index(after: end)
      if rest[end] == LineEnd.carriageReturn, next < rest.endIndex, rest[next] == LineEnd.lineFeed {
        next = rest.index(after: next)
      }
      rest = rest[next...]
    }
    appendField(name, rest, to: &block)
  }

  /// The space is written whenever there is a value, for readers take one away.
  private static func appendField(
    _ name: String, _ value: some Collection<UInt8>, to block: inout [UInt8]
  ) {
    block.append(contentsOf: name.utf8)
    block.append(UInt8(ascii: ":"))
    if !value.isEmpty {
      block.append(UInt8(ascii: " "))
      block.append(contentsOf: value)
    }
    block.append(LineEnd.lineFeed)
  }
}
