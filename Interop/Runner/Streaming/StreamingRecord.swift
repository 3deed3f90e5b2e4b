import Foundation
import StreamRecord

/// A client's record in `STREAM.jsonl`, line by line.
struct StreamingRecord: Hashable, Sendable {
  /// The origin's event: `{"n":sequence,"t":due,"w":written,…`, times in nanoseconds of `CLOCK_MONOTONIC`.
  struct Payload: Hashable, Sendable {
    var sequence: Int
    var due: Int64
    var written: Int64

    init?(_ data: String) {
      guard let match = data.prefixMatch(of: /\{"n":(\d+),"t":(\d+),"w":(\d+),/), let sequence = Int(match.1),
        let due = Int64(match.2), let written = Int64(match.3)
      else { return nil }
      self.sequence = sequence
      self.due = due
      self.written = written
    }
  }

  var lines: [StreamLine] = []
  /// Lines that are none of a client's, the last one of a killed client among them.
  var unreadable = 0

  init(lines: [StreamLine]) {
    self.lines = lines
  }

  init(text: Data) {
    let decoder = JSONDecoder()
    for line in text.split(separator: UInt8(ascii: "\n")) {
      if let line = try? decoder.decode(StreamLine.self, from: line) { lines.append(line) } else { unreadable += 1 }
    }
  }
}
