import EventStream
import Foundation
import HTTPTypes
import StreamTransport

/// The parameters of a stream, as "Create stream" gives them, checked.
struct StreamParameters: Sendable {
  var origin: Origin
  /// The stream URL's path and query.
  var path: String
  var callbackURL: String
  /// The test's name.
  var tag = ""
  var initialDelay: Duration?
  var readTimeout: Duration?
  var lastEventID = ""
  var method = HTTPRequest.Method.get
  var fields: HTTPFields = [:]
  var body: String?

  /// The client's settings: its own, but for what was given.
  var configuration: EventSourceConfiguration {
    var configuration = EventSourceConfiguration()
    configuration.lastEventID = lastEventID
    if let readTimeout { configuration.idleTimeout = readTimeout }
    if let initialDelay {
      // What doubles must not be zero, or a server that fails were asked without end.
      configuration.backoff = BackoffConfiguration(floor: initialDelay, base: max(initialDelay, .milliseconds(1)))
    }
    return configuration
  }

  var request: EventSourceRequest {
    var fields = fields
    if body != nil, fields[.contentType] == nil { fields[.contentType] = "text/plain; charset=utf-8" }
    return EventSourceRequest(
      method: method, path: path, fields: fields, body: body.map { .bytes(Array($0.utf8)) } ?? .none)
  }
}

extension StreamParameters: Decodable {
  private enum CodingKeys: String, CodingKey {
    case origin = "streamUrl"
    case callbackURL = "callbackUrl"
    case tag
    case initialDelay = "initialDelayMs"
    case readTimeout = "readTimeoutMs"
    case lastEventID = "lastEventId"
    case method
    case fields = "headers"
    case body
  }

  /// The longest time that is taken.
  private static let longestTime = 86_400_000

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func refuse(_ key: CodingKeys, _ sentence: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: values, debugDescription: "\(key.rawValue) \(sentence)")
    }
    func url(_ key: CodingKeys) throws -> (origin: Origin, parts: URLComponents, text: String) {
      let text = try values.decode(String.self, forKey: key)
      guard let parts = URLComponents(string: text), let url = parts.url, let origin = try? Origin(url) else {
        throw refuse(key, "is '\(text)'; give an absolute http or https URL.")
      }
      return (origin, parts, text)
    }
    func milliseconds(_ key: CodingKeys, from least: Int) throws -> Duration? {
      guard let value = try values.decodeIfPresent(Int.self, forKey: key) else { return nil }
      guard (least...Self.longestTime).contains(value) else {
        throw refuse(key, "is \(value); give \(least) to \(Self.longestTime) milliseconds.")
      }
      return .milliseconds(value)
    }
    let stream = try url(.origin)
    origin = stream.origin
    path =
      (stream.parts.percentEncodedPath.isEmpty ? "/" : stream.parts.percentEncodedPath)
      + (stream.parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    callbackURL = try url(.callbackURL).text
    tag = try values.decodeIfPresent(String.self, forKey: .tag) ?? ""
    initialDelay = try milliseconds(.initialDelay, from: 0)
    readTimeout = try milliseconds(.readTimeout, from: 1)
    lastEventID = try values.decodeIfPresent(String.self, forKey: .lastEventID) ?? ""
    if let name = try values.decodeIfPresent(String.self, forKey: .method) {
      guard let method = HTTPRequest.Method(name), method != .connect else {
        throw refuse(.method, "is '\(name)'; give an HTTP method such as POST.")
      }
      self.method = method
    }
    for (name, value) in try values.decodeIfPresent([String: String].self, forKey: .fields) ?? [:] {
      guard let fieldName = HTTPField.Name(name), HTTPField.isValidValue(value) else {
        throw refuse(.fields, "has '\(name)', whose name or value is none of HTTP's.")
      }
      let field = HTTPField(name: fieldName, value: value)
      guard !RequestRules.isOfConnection(field) else {
        throw refuse(.fields, "has '\(name)', which belongs to the connection; leave it to the client.")
      }
      fields.append(field)
    }
    body = try values.decodeIfPresent(String.self, forKey: .body)
  }
}
