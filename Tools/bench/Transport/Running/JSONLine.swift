import Foundation

/// The message form between programs of the benchmark: one JSON object a line.
enum JSONLine {
  static func print(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    TransportPeer.say(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  static func decode<Value: Decodable>(_ type: Value.Type, lastOf text: String) throws -> Value {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(type, from: Data((text.split(separator: "\n").last ?? "").utf8))
  }
}
