/// The file format of Mahimahi's mm-link (NSDI 2015): each line is a time in whole milliseconds at which the link can carry
/// 1 500 bytes; the last line's time is also the trace's length, after which it begins again.
package enum MahimahiTrace {
  package static let mostBytes = 64 << 20
  package static let mostOpportunities = 5_000_000
  /// Eleven days.
  package static let latestMilliseconds = 1_000_000_000

  /// The times of a file, for `DirectionConditions.deliveryOpportunitiesMilliseconds`. Line ends may be LF or CR LF.
  package static func opportunities(in bytes: some Collection<UInt8>) throws(MahimahiTraceError) -> [Int] {
    guard bytes.count <= mostBytes else { throw MahimahiTraceError(.tooManyBytes(bytes.count)) }
    var times: [Int] = []
    var line = 1
    var start = bytes.startIndex
    while start != bytes.endIndex {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.endIndex
      let time = try time(in: bytes[start..<end], line: line)
      if let before = times.last, time < before {
        throw MahimahiTraceError(line: line, .decreasing(time, after: before))
      }
      guard times.count < mostOpportunities else { throw MahimahiTraceError(line: line, .tooManyOpportunities) }
      times.append(time)
      line += 1
      start = end == bytes.endIndex ? end : bytes.index(after: end)
    }
    guard let last = times.last else { throw MahimahiTraceError(.empty) }
    guard last > 0 else { throw MahimahiTraceError(line: times.count, .noLength) }
    return times
  }

  /// A trace as a file, for other tools.
  package static func text(_ opportunitiesMilliseconds: [Int]) -> String {
    opportunitiesMilliseconds.map { "\($0)\n" }.joined()
  }

  private static func time(in text: some Collection<UInt8>, line: Int) throws(MahimahiTraceError) -> Int {
    var digits = 0
    var time = 0
    var index = text.startIndex
    while index != text.endIndex {
      let byte = text[index]
      index = text.index(after: index)
      if byte == 0x0D, index == text.endIndex, digits > 0 { break }
      guard (0x30...0x39).contains(byte) else {
        throw MahimahiTraceError(line: line, .notANumber(String(decoding: text.prefix(40), as: UTF8.self)))
      }
      digits += 1
      time = time * 10 + Int(byte - 0x30)
      guard time <= latestMilliseconds else { throw MahimahiTraceError(line: line, .tooLate(time)) }
    }
    guard digits > 0 else {
      throw MahimahiTraceError(line: line, .notANumber(String(decoding: text.prefix(40), as: UTF8.self)))
    }
    return time
  }
}
