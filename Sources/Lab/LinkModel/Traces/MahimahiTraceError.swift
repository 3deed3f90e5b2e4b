/// A file that is not a Mahimahi trace.
package struct MahimahiTraceError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    case notANumber(String)
    case decreasing(Int, after: Int)
    case tooLate(Int)
    case tooManyOpportunities
    case tooManyBytes(Int)
    case empty
    case noLength
  }

  /// The line, counted from 1; nil if it is about the whole file.
  package var line: Int?
  package var reason: Reason

  package init(line: Int? = nil, _ reason: Reason) {
    self.line = line
    self.reason = reason
  }

  package var description: String { line.map { "line \($0): \(sentence)" } ?? sentence }

  private var sentence: String {
    switch reason {
    case .notANumber(let text):
      "“\(text)” is not a whole number of milliseconds; write one time a line, for example 42, and nothing else"
    case .decreasing(let time, let before):
      "\(time) ms comes after \(before) ms; sort the lines by time (sort -n)"
    case .tooLate(let time):
      "\(time) ms is beyond \(MahimahiTrace.latestMilliseconds) ms; times are milliseconds from the trace's start"
    case .tooManyOpportunities:
      "there are more than \(MahimahiTrace.mostOpportunities) lines; cut the trace, it is repeated anyway"
    case .tooManyBytes(let count):
      "the file has \(count) bytes, more than \(MahimahiTrace.mostBytes); cut the trace, it is repeated anyway"
    case .empty:
      "the trace has no lines; write one time in milliseconds a line, one for each 1500 bytes that the link can carry"
    case .noLength:
      "the last time is 0 ms, but it is the trace's length; add a last line with the length in milliseconds"
    }
  }
}
