import Foundation

/// A benchmark's answer that is no comparison; the JSON names are the properties' in snake case.
protocol BenchmarkReport: Encodable {
  /// The same for people.
  var text: String { get }
}

extension BenchmarkReport {
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.keyEncodingStrategy = .convertToSnakeCase
      encoder.outputFormatting = .sortedKeys
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}
