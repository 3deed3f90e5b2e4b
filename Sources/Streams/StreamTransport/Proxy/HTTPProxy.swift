import Foundation

/// A proxy that makes tunnels (CONNECT, RFC 9110 § 9.3.6), spoken to in plaintext as usual; TLS goes through it end to end.
package struct HTTPProxy: Hashable, Sendable, CustomStringConvertible {
  /// A name or an address, without brackets.
  package let host: String
  package let port: Int
  /// The value of `proxy-authorization`, nil where the URL names no user (RFC 7617).
  package let authorization: String?
  /// The variable that names the proxy.
  package let source: String

  /// - Parameter text: such as `http://user:password@proxy.example:3128`; `http` and port 80 where they are missing.
  ///
  /// Throws ``TransportError`` with `invalidRequest`; the text stays out of its words, since it may hold a password.
  package init(_ text: String, source: String) throws(TransportError) {
    let full = text.contains("://") ? text : "http://\(text)"
    guard let url = URLComponents(string: full), let scheme = url.scheme?.lowercased(), var host = url.host,
      !host.isEmpty
    else {
      throw TransportError(
        .invalidRequest, "\(source) names no proxy; give one such as http://proxy.example:3128, or unset it.")
    }
    guard scheme == "http" else {
      throw TransportError(
        .invalidRequest,
        "\(source) names a proxy of kind '\(scheme)'; only http:// proxies are supported. Unset it, or add the host to NO_PROXY."
      )
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    let port = url.port ?? 80
    guard (1...65_535).contains(port) else {
      throw TransportError(.invalidRequest, "\(source) names a port outside 1 to 65535.")
    }
    self.host = host
    self.port = port
    self.source = source
    authorization = url.user.map { user in
      let credentials = Data("\(user):\(url.password ?? "")".utf8)
      return "Basic \(credentials.base64EncodedString())"
    }
  }

  /// Host and port, without what is secret.
  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
