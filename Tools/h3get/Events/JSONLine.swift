import Foundation

/// One JSON object on one line, its names in the order in which they were given.
struct JSONLine {
  private var members: [String] = []

  init(kind: String, _ arrival: Arrival) {
    add("kind", kind)
    add("at_ms", milliseconds: arrival.sinceRequest)
    members.append("\"at_ns\":\(arrival.monotonicNanoseconds)")
  }

  mutating func add(_ name: String, _ value: String?) {
    members.append("\"\(name)\":\(value.map(Self.quoted) ?? "null")")
  }

  mutating func add(_ name: String, _ value: Int) {
    members.append("\"\(name)\":\(value)")
  }

  private mutating func add(_ name: String, milliseconds: Duration) {
    members.append("\"\(name)\":\(milliseconds.inMilliseconds)")
  }

  var text: String { "{\(members.joined(separator: ","))}\n" }

  private static func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    // A string has a JSON form always.
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}
