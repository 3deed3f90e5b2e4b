import HTTP3Engine

/// A response's content from its stream and from repeats, true and false, in any order: what is handed on is what the stream
/// says, each byte once, or there is a breach.
func fuzzRepeats(_ input: [UInt8]) {
  if let range = ContentRange(payload: input) {
    precondition(ContentRange(payload: range.payload) == range, "what was written reads otherwise")
  }
  var reader = InputReader(input)
  var assembly = RepeatAssembly()
  var handedOn: [UInt8] = []
  var sent = 0
  do throws(RepeatAssembly.Breach) {
    while !reader.isAtEnd, sent < 32 << 10 {
      switch reader.byte() % 4 {
      case 0: handedOn += assembly.begin()
      case 1:
        let part = content(sent..<sent + reader.number(below: 2_000))
        handedOn += try receiveStream(part, &assembly)
        sent += part.count
        precondition(handedOn.starts(with: content(0..<min(sent, handedOn.count))), "the stream says otherwise")
      case 2:
        let start = max(0, sent - 100) + reader.number(below: 20_000)
        handedOn += try assembly.receive(
          ContentRange(offset: UInt64(start), bytes: content(start..<start + 1 + reader.number(below: 1_500))))
      default:
        guard let range = ContentRange(payload: reader.bytes(2 + reader.number(below: 40))) else { continue }
        handedOn += try assembly.receive(range)
      }
      precondition(assembly.delivered == UInt64(handedOn.count), "a byte is handed on twice, or not at all")
      precondition(assembly.early <= RepeatAssembly.byteLimit, "more is kept than the limit says")
    }
    try assembly.end()
    precondition(handedOn.count <= sent, "there is more than the stream has")
  } catch {}
}

private func content(_ places: Range<Int>) -> [UInt8] { places.map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

/// The part of the stream that is to be handed on. Before `begin` that is the stream's part too.
private func receiveStream(
  _ bytes: [UInt8], _ assembly: inout RepeatAssembly
) throws(RepeatAssembly.Breach) -> [UInt8] {
  var answer: (known: Int, following: [UInt8]) = (0, [])
  try bytes.withUnsafeBufferPointer { (buffer) throws(RepeatAssembly.Breach) in
    answer = try assembly.receiveStream(buffer)
  }
  return bytes.dropFirst(answer.known) + answer.following
}
