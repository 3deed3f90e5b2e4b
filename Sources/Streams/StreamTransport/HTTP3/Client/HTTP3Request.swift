import HTTP3Engine
import HTTPTypes

/// A request in the form that goes over the wire, checked.
struct HTTP3Request: Sendable {
  let fields: [HeaderField]
  let body: RequestBody
  let requestID: String
  /// Whether it may reach the server twice.
  let mayBeRepeated: Bool

  /// - Parameter alternative: the authority that the connection goes to where it is not the origin's.
  ///
  /// Throws ``TransportError`` with `invalidRequest` for what HTTP/3 could not carry.
  init(
    _ request: HTTPRequest, body: RequestBody, origin: Origin, alternative: String? = nil,
    random: TransportRandom = .system
  ) throws(TransportError) {
    _ = try RequestRules.check(request, to: origin)
    mayBeRepeated = HTTP3Transport.maySendEarly(request, body: body)
    var request = request
    // The stream's own length counts; a second, wrong one would make the message malformed (RFC 9114 § 4.1.2).
    request.headerFields[.contentLength] = Self.contentLength(of: body, method: request.method)
    requestID = request.headerFields[RequestID.name] ?? RequestID.make(random)
    request.headerFields[RequestID.name] = requestID
    if let alternative { request.headerFields[.altUsed] = alternative }
    request.scheme = origin.scheme.rawValue
    fields = FieldMapping.section(for: request, to: origin)
    self.body = body
  }

  /// Whether the body can be sent once more.
  var isRepeatable: Bool {
    switch body {
    case .none, .bytes: true
    case .stream: false
    }
  }

  private static func contentLength(of body: RequestBody, method: HTTPRequest.Method) -> String? {
    switch body {
    // A method that expects content says that there is none (RFC 9110 § 8.6).
    case .none: [.post, .put, .patch].contains(method) ? "0" : nil
    case .bytes(let bytes): String(bytes.count)
    case .stream: nil
    }
  }
}
