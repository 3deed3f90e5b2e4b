package import HTTPTypes

/// The rules that every transport has for requests, so that they can stand in for one another.
package enum RequestRules {
  /// Fields that belong to an HTTP/1.1 connection and make an HTTP/3 message malformed (RFC 9114 § 4.2); `host` is given
  /// by the authority.
  package static func isOfConnection(_ field: HTTPField) -> Bool {
    switch field.name.canonicalName {
    case "connection", "host", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade": true
    case "te": field.value != "trailers"
    default: false
    }
  }

  /// Whether the request asks for nothing to be changed, so that it may reach the server twice (RFC 9110 § 9.2.1).
  static func isSafe(_ method: HTTPRequest.Method) -> Bool {
    [.get, .head, .options, .trace].contains(method)
  }

  /// The request's path, checked: a transport serves one origin, also where the server's certificate names others
  /// (connections are not shared between origins, RFC 9114 § 3.3). Throws ``TransportError`` with `invalidRequest`.
  static func check(_ request: HTTPRequest, to origin: Origin) throws(TransportError) -> String {
    if let scheme = request.scheme, scheme.lowercased() != origin.scheme.rawValue {
      throw TransportError(.invalidRequest, "This transport sends to \(origin), not to '\(scheme)' URLs.")
    }
    if let authority = request.authority?.lowercased() {
      guard [origin.authority.lowercased(), origin.authorityWithPort.lowercased()].contains(authority) else {
        throw TransportError(
          .invalidRequest, "This transport sends to \(origin), not to '\(authority)'; make one for that origin.")
      }
    }
    let target = request.path ?? "/"
    guard target.first == "/" || target == "*", target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      throw TransportError(
        .invalidRequest, "'\(target)' is no request path; it begins with / and is percent-encoded ASCII.")
    }
    guard request.method != .connect else {
      throw TransportError(.invalidRequest, "CONNECT asks for a tunnel, which this transport does not make.")
    }
    for field in request.headerFields where isOfConnection(field) {
      throw TransportError(
        .invalidRequest, "The field \(field.name.canonicalName) belongs to the connection, not to a request.")
    }
    return target
  }
}
