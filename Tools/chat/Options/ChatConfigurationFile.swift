import Configuration
import Foundation
import ResolveKitCore
import StreamTransport

/// The configuration file: one JSON object, its members named like the settings and of their types.
enum ChatConfigurationFile {
  private static let sizeLimit = 1 << 20

  /// Throws ``ChatFailure`` for a file that can't be read or is required and missing, for a name that is none, and for a
  /// value of another type.
  static func read(_ path: String, isRequired: Bool) throws(ChatFailure) -> [ChatSetting: ChatValue] {
    func refuse(_ what: String) -> ChatFailure {
      ChatFailure(code: .usage, message: "the configuration file '\(path)' \(what)")
    }
    let bytes: [UInt8]
    do {
      bytes = try PrivateFile.read(path, limit: sizeLimit)
    } catch {
      guard isRequired || error.number != ENOENT else { return [:] }
      throw refuse("can't be read: \(error.description)")
    }
    let members: JSONObject
    do {
      guard case .object(let object) = try JSONValue(parsing: bytes) else {
        throw refuse("is no JSON object; write {\"name\": value, …}")
      }
      members = object
    } catch let failure as ChatFailure {
      throw failure
    } catch {
      throw refuse("is no JSON: \(error)")
    }
    var values: [ChatSetting: ChatValue] = [:]
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let setting = ChatSetting(rawValue: name) else {
        throw refuse("has no setting '\(name)'; is it \(ChatSetting.nearest(to: name).rawValue)?")
      }
      guard setting != .apiKey else {
        throw refuse("holds an API key; put it in a file of its own and name that as api-key-file")
      }
      guard let value = ChatValue(value, type: setting.type) else {
        throw refuse("has a \(setting.rawValue) of another type; it takes \(setting.type.example)")
      }
      values[setting] = value
    }
    return values
  }
}

extension ChatValue {
  /// nil for a value of another type: no number is a yes, and no text is a number.
  fileprivate init?(_ value: JSONValue, type: ConfigType) {
    switch (value, type) {
    case (.string(let text), .string): self = .text(text)
    case (.number(let number), .double): self = .number(number)
    case (.bool(let flag), .bool): self = .flag(flag)
    default: return nil
    }
  }
}

extension ConfigType {
  /// The expected value.
  var example: String {
    switch self {
    case .bool: "true or false"
    case .double: "a number"
    default: "a string"
    }
  }
}

extension ChatSetting {
  /// The setting whose name, or whose flag's name, takes the fewest edits to come to.
  static func nearest(to name: String) -> ChatSetting {
    allCases.min { $0.distance(to: name) < $1.distance(to: name) } ?? .baseURL
  }

  private func distance(to name: String) -> Int {
    let names = self == .baseURL ? [rawValue, "url"] : [rawValue]
    return names.map { Self.edits(from: Array($0.utf8), to: Array(name.lowercased().utf8.prefix(64))) }.min() ?? .max
  }

  /// Levenshtein's distance.
  private static func edits(from: [UInt8], to: [UInt8]) -> Int {
    var row = Array(0...to.count)
    for (index, letter) in from.enumerated() {
      var corner = row[0]
      row[0] = index + 1
      for column in to.indices {
        let changed = corner + (to[column] == letter ? 0 : 1)
        corner = row[column + 1]
        row[column + 1] = min(changed, corner + 1, row[column] + 1)
      }
    }
    return row[to.count]
  }
}
