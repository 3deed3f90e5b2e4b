import Hummingbird
import HummingbirdHTTP3
import JSONService
import ResolveKitCore

/// A request's JSON body, read before anything else is looked at: the contract's server answers 422 to broken JSON even
/// without authorization. A client that waits for leave to send it is refused before (RFC 9110 § 10.1.1), and so is one
/// that sends much without a key: a body is held until all of it has come.
struct JSONBody {
  static let limit = 2 << 20
  private static let limitWithoutKey = 16 << 10
  /// In which the whole body has to come: at 140 kbit/s the largest does.
  private static let time = Duration.seconds(120)
  private static let timeWithoutKey = Duration.seconds(20)

  private let value: JSONValue?
  private let bytes: [UInt8]

  /// Reads the body, and checks the request's key.
  static func read(_ request: Request, _ checkKey: (Request) throws -> Void) async throws -> JSONBody {
    let key = Result { try checkKey(request) }
    if request.head.expectsContinue { try key.get() }
    let (limit, time) = if case .success = key { (limit, time) } else { (limitWithoutKey, timeWithoutKey) }
    guard let bytes = try await request.bytes(upTo: limit, within: time) else {
      try key.get()
      throw APIError.bodyTooLarge(limit: limit)
    }
    let body = try read(bytes)
    try key.get()
    return body
  }

  private static func read(_ bytes: [UInt8]) throws -> JSONBody {
    guard !bytes.isEmpty else { return JSONBody(value: nil, bytes: []) }
    do {
      return JSONBody(value: try JSONValue(parsing: bytes), bytes: bytes)
    } catch {
      throw APIError.invalid(
        ValidationIssue(
          type: "json_invalid", location: ["body", .number(Double(error.offset ?? 0))], message: "JSON decode error",
          input: .object([:]), context: ["error": .string(error.message)]))
    }
  }

  /// A member's JSON with every digit that was sent, which a `JSONValue` has no room for.
  func text(of name: String) -> String? {
    let exact = try? ResolveKitArguments(parsing: String(decoding: bytes, as: UTF8.self))
    // A body with two members of one name is taken as it was parsed: the last one counts.
    return exact.map { $0.texts[name] } ?? value?.objectValue?[name]?.jsonText
  }

  /// For routes whose body may be left out.
  func objectOrEmpty() throws(APIError) -> JSONObject {
    value == nil ? [:] : try object()
  }

  func object() throws(APIError) -> JSONObject {
    guard let value else {
      throw APIError.invalid(ValidationIssue(type: "missing", location: ["body"], message: "Field required"))
    }
    guard let object = value.objectValue else {
      throw APIError.invalid(
        ValidationIssue(
          type: "model_attributes_type", location: ["body"],
          message: "Input should be a valid dictionary or object to extract fields from", input: value))
    }
    return object
  }
}
