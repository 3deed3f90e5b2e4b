/// The benchmark's answer.
struct EventStreamReport: BenchmarkReport {
  var benchmark = "event-stream"
  var bytes: Int
  var chunkBytes: Int
  var events: Int
  var rounds: Int
  var checksum: String
  var parserMbPerS: Double
  var memchrMbPerS: Double
  var ratioToMemchr: Double
  var eventsPerS: Double

  var text: String {
    """
    \(events) events in \(bytes) bytes, chunks of \(chunkBytes), median of \(rounds) rounds
    checksum \(checksum)
    parser_mb_per_s \(Int(parserMbPerS.rounded()))
    memchr_mb_per_s \(Int(memchrMbPerS.rounded()))
    ratio_to_memchr \((ratioToMemchr * 1000).rounded() / 1000)
    events_per_s \(Int(eventsPerS.rounded()))
    """
  }
}
