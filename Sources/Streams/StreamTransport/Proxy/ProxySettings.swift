import Foundation

/// Which proxy leads to an origin, after the environment variables that programs agree on.
public struct ProxySettings: Hashable, Sendable {
  private var url: String?
  /// The variable that ``url`` is from.
  private var source = ""
  private var exemptions = ProxyExemptions("")

  /// No proxy at all.
  public static let none = ProxySettings(environment: [:])

  /// The settings of this process's environment.
  public static var environment: ProxySettings { ProxySettings(environment: ProcessInfo.processInfo.environment) }

  /// `https_proxy`, else `HTTPS_PROXY`, else `all_proxy`, else `ALL_PROXY` names the proxy for `https` origins; an empty
  /// one names none. `no_proxy`, else `NO_PROXY`, lists the hosts that are reached directly: names with all below them,
  /// addresses, ranges of addresses (`10.0.0.0/8`), each with a port or without, or `*`.
  ///
  /// This machine itself and `http` origins are always reached directly.
  public init(environment: [String: String]) {
    for name in ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
      guard let value = environment[name] else { continue }
      url = value.isEmpty ? nil : value
      source = name
      break
    }
    exemptions = ProxyExemptions(environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
  }

  /// The proxy for an origin, nil for the direct way. Throws ``TransportError`` with `invalidRequest` where the variable
  /// names none that can be used: going directly would not be what its owner wants.
  package func proxy(for origin: Origin) throws(TransportError) -> HTTPProxy? {
    guard let url, origin.scheme == .https, !origin.isLoopback, !exemptions.cover(origin) else { return nil }
    return try HTTPProxy(url, source: source)
  }
}
