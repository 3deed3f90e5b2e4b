import Hummingbird
import JSONService
import ResolveKitCore

/// A request's JSON object, and its members by the contract's rules.
struct JSONInput {
  private let members: JSONObject

  init(_ members: JSONObject) { self.members = members }

  /// Reads the body; an empty one is an empty object. Throws ``CompanionError``.
  static func read(_ request: Request, limit: Int = 64 << 10) async throws -> JSONInput {
    guard let bytes = try await request.bytes(upTo: limit) else { throw CompanionError.bodyTooLarge(limit: limit) }
    guard !bytes.isEmpty else { return JSONInput([:]) }
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw CompanionError(.badRequest, "The body is no JSON: \(error.message)")
    }
    guard let members = value.objectValue else { throw CompanionError(.badRequest, "The body must be a JSON object.") }
    return JSONInput(members)
  }

  var json: JSONValue { .object(members) }

  subscript(name: String) -> JSONValue? {
    guard let value = members[name], !value.isNull else { return nil }
    return value
  }

  /// A member that may be left out. Throws ``CompanionError`` where it is no text, or longer than `limit` UTF-8 bytes.
  func string(_ name: String, limit: Int = 4_096) throws(CompanionError) -> String? {
    guard let value = self[name] else { return nil }
    guard let text = value.stringValue else {
      throw CompanionError(.badRequest, "Expected a string for \(name)")
    }
    guard text.utf8.count <= limit else {
      throw CompanionError(.badRequest, "\(name) is longer than \(limit) bytes; shorten it.")
    }
    return text
  }

  /// A member that must be there, in the contract's words.
  func requiredString(_ name: String, limit: Int = 4_096) throws(CompanionError) -> String {
    guard let text = try string(name, limit: limit), !text.allSatisfy(\.isWhitespace) else {
      throw CompanionError(.badRequest, "Expected non-empty string for \(name)")
    }
    return text
  }
}
