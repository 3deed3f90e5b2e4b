import Foundation

/// A JSON value whose keys and kinds can be looked at before it becomes a scenario.
enum JSONNode: Codable, Hashable, Sendable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([JSONNode])
  case object([String: JSONNode])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([JSONNode].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: JSONNode].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    // Whole numbers without a fraction, so that what is an integer in the schema is one in the text.
    case .number(let number):
      if let whole = Int64(exactly: number) { try container.encode(whole) } else { try container.encode(number) }
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .object(let object): try container.encode(object)
    }
  }

  /// Reads a text; the error says at which line and column it is no JSON.
  init(json: Data) throws(ScenarioError) {
    do {
      self = try JSONDecoder().decode(JSONNode.self, from: json)
    } catch let error as DecodingError {
      throw ScenarioError("", "This is not JSON: \(Self.reason(error))")
    } catch {
      throw ScenarioError("", "This is not JSON: \(error)")
    }
  }

  init(encoding value: some Encodable) throws(ScenarioError) {
    do {
      self = try JSONDecoder().decode(JSONNode.self, from: try JSONEncoder().encode(value))
    } catch {
      throw ScenarioError("", "The scenario cannot be written as JSON, which has no infinite numbers: \(error)")
    }
  }

  /// Indented, keys in alphabetical order, a line feed at the end.
  var document: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return description + "\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  var isNull: Bool { self == .null }

  /// A number as JSON has it, whole ones without a fraction.
  static func digits(of number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  subscript(_ key: String) -> JSONNode? {
    get { if case .object(let members) = self { members[key] } else { nil } }
    set {
      guard case .object(var members) = self else { return }
      members[key] = newValue
      self = .object(members)
    }
  }

  private static func reason(_ error: DecodingError) -> String {
    guard case .dataCorrupted(let context) = error else { return "\(error)" }
    let cause = (context.underlyingError as NSError?)?.userInfo[NSDebugDescriptionErrorKey] as? String
    return cause ?? context.debugDescription
  }
}

extension JSONNode: CustomStringConvertible {
  /// A short form for error messages.
  var description: String {
    switch self {
    case .null: "null"
    case .flag(let flag): "\(flag)"
    case .number(let number): Self.digits(of: number)
    case .text(let text): text.count <= 60 ? "\"\(text)\"" : "\"\(text.prefix(60))…\""
    case .list(let list): list.isEmpty ? "an empty list" : "a list of \(list.count)"
    case .object(let members):
      members.isEmpty ? "an empty object" : "an object with \(members.keys.sorted().prefix(4).joined(separator: ", "))"
    }
  }
}
