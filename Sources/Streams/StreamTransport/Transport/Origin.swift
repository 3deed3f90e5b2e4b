public import Foundation

/// A scheme, host and port (RFC 6454): what one connection serves.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// Whether TLS protects the connection; the raw value is the URL's scheme.
  public enum Scheme: String, Hashable, Sendable {
    /// HTTP over TLS: HTTP/3 or HTTP/1.1.
    case https
    /// Plaintext HTTP/1.1, which ``HTTP1Transport`` allows to this machine alone unless `allowsPlaintext` says otherwise.
    case http
  }

  /// The scheme, which decides about TLS.
  public var scheme: Scheme
  /// A DNS name or an IP address, without brackets.
  public var host: String
  /// The TCP or UDP port, 1 to 65535.
  public var port: Int

  /// Creates an origin from parts that are taken as they are; ``init(_:)`` checks and normalizes a URL's.
  public init(scheme: Scheme, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// The origin of an absolute `http` or `https` URL; throws ``TransportError`` with `invalidRequest` for anything else.
  public init(_ url: URL) throws(TransportError) {
    guard let name = url.scheme?.lowercased(), let scheme = Scheme(rawValue: name) else {
      throw TransportError(
        .invalidRequest, "'\(url.absoluteString)' is no http or https URL; give one such as https://localhost:8443.")
    }
    guard var host = url.host(percentEncoded: false), !host.isEmpty else {
      throw TransportError(.invalidRequest, "'\(url.absoluteString)' names no host.")
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    let port = url.port ?? (scheme == .https ? 443 : 80)
    guard (1...65_535).contains(port) else {
      throw TransportError(.invalidRequest, "Port \(port) is outside 1 to 65535.")
    }
    self.init(scheme: scheme, host: host.lowercased(), port: port)
  }

  /// Host and port as in a URL, the default port left out and an IPv6 address in brackets.
  public var authority: String {
    let isDefault = port == (scheme == .https ? 443 : 80)
    return isDefault ? hostInURL : authorityWithPort
  }

  /// The same with the port in any case.
  var authorityWithPort: String { "\(hostInURL):\(port)" }

  private var hostInURL: String { host.contains(":") ? "[\(host)]" : host }

  /// Whether the host is this machine by its name or address.
  public var isLoopback: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || isLoopbackIPv4
  }

  private var isLoopbackIPv4: Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  public var description: String { "\(scheme.rawValue)://\(authority)" }
}
