import HTTPTypes
import NIOHTTP1

/// A request in the form that goes over the wire, checked.
struct HTTP1Request: Sendable {
  let head: HTTPRequestHead
  let body: RequestBody
  let requestID: String
  /// Whether it may be sent again when a kept connection died before any byte of the response.
  ///
  /// RFC 9110 § 9.2.2: only where a second run does no harm, and of course where the body is still there.
  let canBeRepeated: Bool

  /// Throws ``TransportError`` with `invalidRequest` for what HTTP/1.1 or HTTP/3 could not carry.
  init(
    _ request: HTTPRequest, body: RequestBody, origin: Origin, random: TransportRandom = .system
  ) throws(TransportError) {
    let target = try RequestRules.check(request, to: origin)
    var headers = HTTPHeaders()
    headers.add(name: "host", value: request.authority ?? origin.authority)
    var requestID: String?
    for field in request.headerFields {
      // The length is ours to tell; and `te` would need a `connection` field here (RFC 9110 § 10.1.4).
      if field.name == .contentLength || field.name == .te { continue }
      if field.name.canonicalName == "x-request-id" { requestID = field.value }
      headers.add(name: field.name.canonicalName, value: field.value)
    }
    let identifier = requestID ?? RequestID.make(random)
    if requestID == nil { headers.add(name: "x-request-id", value: identifier) }
    switch body {
    case .none:
      // RFC 9110 § 8.6: a method that expects content says that there is none.
      if [.post, .put, .patch].contains(request.method) { headers.add(name: "content-length", value: "0") }
    case .bytes(let bytes): headers.add(name: "content-length", value: String(bytes.count))
    case .stream: headers.add(name: "transfer-encoding", value: "chunked")
    }
    head = HTTPRequestHead(
      version: .http1_1, method: HTTPMethod(rawValue: request.method.rawValue), uri: target, headers: headers)
    self.body = body
    self.requestID = identifier
    canBeRepeated = Self.isHarmless(request) && body.isHeld
  }

  private static func isHarmless(_ request: HTTPRequest) -> Bool {
    switch request.method {
    case .get, .head, .options, .trace, .put, .delete: true
    default: request.headerFields.contains { $0.name.canonicalName == "idempotency-key" }
    }
  }
}

extension RequestBody {
  /// Whether the body is in memory, so that it can be sent again.
  fileprivate var isHeld: Bool {
    switch self {
    case .none, .bytes: true
    case .stream: false
    }
  }
}

extension HTTPResponse {
  /// The HTTP types of a decoded head.
  init(_ head: HTTPResponseHead) {
    self.init(status: .init(code: Int(head.status.code), reasonPhrase: ""), headerFields: HTTPFields(head.headers))
  }
}

extension HTTPFields {
  /// The HTTP types of decoded fields; those whose names or values are no HTTP are left out.
  init(_ headers: HTTPHeaders) {
    self.init()
    for (name, value) in headers {
      guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else { continue }
      append(HTTPField(name: name, value: value))
    }
  }
}
