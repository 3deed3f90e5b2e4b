import Hummingbird
import JSONService
import ResolveKitCore

/// A request's JSON body: its values to look at, its text to keep.
struct JSONRequestBody: Sendable {
  /// The most that a body may have, so that each of its members fits into an event.
  static let limit = 1 << 20
  /// The most of one for which nobody has to be signed in.
  static let openLimit = 16 << 10
  /// In which the whole body has to come: at 70 kbit/s the largest does.
  private static let time = Duration.seconds(120)

  private let bytes: [UInt8]
  let members: JSONObject

  /// Reads the body; an empty one is an empty object. Throws ``APIFault``.
  ///
  /// - Parameter dialect: of the layer through which it came.
  static func read(
    _ request: Request, upTo limit: Int = limit, through dialect: Dialect = .runtime
  ) async throws -> JSONRequestBody {
    guard let bytes = try await request.bytes(upTo: limit, within: limit > openLimit ? time : .seconds(20)) else {
      throw APIFault(.contentTooLarge, "invalid_request", "the body has more than \(limit) bytes; send less")
    }
    return try JSONRequestBody(dialect.passed(bytes))
  }

  init(_ bytes: [UInt8]) throws(APIFault) {
    guard !bytes.isEmpty else {
      self.bytes = Array("{}".utf8)
      members = [:]
      return
    }
    // Text that is kept as it came is written into event streams, which are UTF-8.
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw APIFault(.badRequest, "invalid_request", "the body is not UTF-8")
    }
    do {
      let value = try JSONValue(parsing: bytes)
      members = value == .array([]) ? [:] : try Self.object(value)
    } catch let error as JSONError {
      throw APIFault(.badRequest, "invalid_request", "the body is no JSON: \(error)")
    } catch {
      throw APIFault(.badRequest, "invalid_request", "the body must be a JSON object")
    }
    self.bytes = bytes
  }

  /// The text of an object inside, on one line and otherwise as it came; `{}` where it is left out, null, or `[]`.
  func text(of path: [String]) -> [UInt8] {
    guard let place = JSONValue.place(of: path, in: bytes), bytes[place].first == UInt8(ascii: "{") else {
      return Array("{}".utf8)
    }
    return JSONText.onOneLine(bytes[place])
  }

  private struct NoObject: Error {}

  private static func object(_ value: JSONValue) throws -> JSONObject {
    guard let members = value.objectValue else { throw NoObject() }
    return members
  }
}
