/// The data of one event: `{"n":sequence,"t":scheduled,"w":written,"p":"padding"}`, times in nanoseconds of
/// `CLOCK_MONOTONIC`.
///
/// Read and written by hand: a client's CPU time is a result, and a JSON library would be most of it.
struct OriginPayload: Hashable, Sendable {
  var sequence: Int
  var scheduled: Int64
  var written: Int64

  init(sequence: Int, scheduled: Int64, written: Int64) {
    self.sequence = sequence
    self.scheduled = scheduled
    self.written = written
  }

  /// nil for anything that the origin does not write.
  init?(_ data: String) {
    var rest = data.utf8[...]
    guard
      let sequence = Self.number(after: "{\"n\":", &rest), let scheduled = Self.number(after: ",\"t\":", &rest),
      let written = Self.number(after: ",\"w\":", &rest), let place = Int(exactly: sequence),
      rest.starts(with: ",\"p\":\"".utf8), rest.suffix(2).elementsEqual("\"}".utf8)
    else { return nil }
    self.init(sequence: place, scheduled: scheduled, written: written)
  }

  /// The whole block of an event, of `bytes` bytes or as many as it needs.
  func block(type: String?, bytes: Int) -> [UInt8] {
    var head = "id: \(sequence)\n"
    if let type { head += "event: \(type)\n" }
    head += "data: {\"n\":\(sequence),\"t\":\(scheduled),\"w\":\(written),\"p\":\""
    let tail = "\"}\n\n"
    let padding = max(0, bytes - head.utf8.count - tail.utf8.count)
    var block = Array(head.utf8)
    block.reserveCapacity(block.count + padding + tail.utf8.count)
    block.append(contentsOf: repeatElement(UInt8(ascii: "."), count: padding))
    block.append(contentsOf: tail.utf8)
    return block
  }

  private static func number(after name: String, _ rest: inout Substring.UTF8View) -> Int64? {
    guard rest.starts(with: name.utf8) else { return nil }
    rest = rest.dropFirst(name.utf8.count)
    var value: Int64 = 0
    var digits = 0
    while let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
      guard !overflow, !carry else { return nil }
      value = sum
      digits += 1
      rest = rest.dropFirst()
    }
    return digits > 0 ? value : nil
  }
}
