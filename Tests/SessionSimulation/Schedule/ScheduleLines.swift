import Foundation

/// A schedule as JSON lines: the setting on the first, a step on each other.
package enum ScheduleLines {
  package static func text(_ setting: some Encodable, _ steps: [some Encodable]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let parts = try [encoder.encode(setting)] + steps.map { try encoder.encode($0) }
    return parts.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
  }

  /// Reads what ``text(_:_:)`` wrote. Throws for lines that are none.
  package static func read<Setting: Decodable, Step: Decodable>(_ lines: String) throws -> (Setting, [Step]) {
    let decoder = JSONDecoder()
    var lines = lines.split(separator: "\n").map { Data($0.utf8) }[...]
    guard let first = lines.popFirst() else { throw ScheduleError("The schedule is empty.") }
    return (try decoder.decode(Setting.self, from: first), try lines.map { try decoder.decode(Step.self, from: $0) })
  }
}
