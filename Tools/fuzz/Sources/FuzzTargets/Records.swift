import TransportRecords

/// Reads a store's file and takes from it what is there; answers how many servers it knew.
func readTicketFile(_ bytes: [UInt8]) -> Int {
  var memory = ResumptionMemory(file: bytes)
  let count = memory.servers.count
  let again = ResumptionMemory(file: memory.file)
  precondition(count == 0 || again == memory, "what was written reads otherwise")
  for authority in memory.servers.keys.sorted() { _ = memory.take(authority, at: 1_800_000_000) }
  return count
}

/// Reads a proxy's answer in one piece and in small pieces, and traps where they differ.
func readProxyAnswer(_ bytes: [UInt8]) {
  var whole = ProxyAnswer()
  let expected = whole.read(bytes)
  for piece in [1, 2, 3, 7] {
    var answer = ProxyAnswer()
    var step = ProxyAnswer.Step.incomplete
    var start = 0
    while start < bytes.count, step == .incomplete {
      let end = min(start + piece, bytes.count)
      step = answer.read(bytes[start..<end])
      if case .answered(let status, let rest) = step {
        step = .answered(status: status, rest: rest + bytes[end...])
      }
      start = end
    }
    precondition(step == expected, "pieces of \(piece) bytes read otherwise")
  }
}
