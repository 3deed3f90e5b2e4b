package import Foundation

/// One JSON object on one line, its members in the order in which they are added.
package struct JSONLine: Sendable {
  private var members: [String] = []

  package init() {}

  /// Adds a string; null for nil.
  package mutating func add(_ name: String, _ value: String?) {
    add(name, json: value.map(Self.quoted) ?? "null")
  }

  package mutating func add(_ name: String, _ value: some BinaryInteger) {
    add(name, json: String(value))
  }

  package mutating func add(_ name: String, _ value: Double) {
    add(name, json: "\(value)")
  }

  /// Adds a member by its JSON text.
  package mutating func add(_ name: String, json text: String) {
    members.append("\(Self.quoted(name)):\(text)")
  }

  /// The object and a line feed.
  package var text: String { "{\(members.joined(separator: ","))}\n" }

  /// A value as one line of JSON with sorted keys, without a line feed.
  package static func text(
    of value: some Encodable, keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = keys
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private static func quoted(_ text: String) -> String {
    // A string always has a JSON form.
    (try? Self.text(of: text)) ?? "null"
  }
}
