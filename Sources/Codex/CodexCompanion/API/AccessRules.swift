import HTTPTypes

/// The rules on where a request may come from, apart from its token.
///
/// A page of another origin that a person's browser shows must not drive the companion (CSRF), and a name that was bound to
/// its address must not make it answer as somebody else's site (DNS rebinding).
struct AccessRules: Sendable {
  /// The hosts that the companion answers as, in lower case, without a port.
  private let hosts: Set<String>

  init(hosts: [String]) {
    self.hosts = Set(hosts.map { $0.lowercased() })
  }

  /// Throws ``CompanionError`` where the request's authority is not ours, or its origin is another's.
  func check(_ head: HTTPRequest) throws(CompanionError) {
    guard let authority = head.authority.map(Authority.init), hosts.contains(authority.host) else {
      throw CompanionError(.misdirectedRequest, "This companion does not answer under that name; see --host.")
    }
    if let name = Self.fetchSite, let site = head.headerFields[name], site != "same-origin", site != "none" {
      throw CompanionError(.forbidden, "Pages of other origins may not talk to this companion.")
    }
    guard let origin = head.headerFields[.origin] else { return }
    let scheme = "https://"
    guard origin.hasPrefix(scheme), Authority(String(origin.dropFirst(scheme.count))) == authority else {
      throw CompanionError(.forbidden, "Pages of other origins may not talk to this companion.")
    }
  }

  private static let fetchSite = HTTPField.Name("sec-fetch-site")

  /// A host and a port as they stand in `Host` and in an origin.
  private struct Authority: Equatable {
    let host: String
    let port: String

    init(_ text: String) {
      let text = text.lowercased()
      let end = text.hasPrefix("[") ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.firstIndex(of: ":")
      let hostEnd = end ?? text.endIndex
      host = String(text[..<hostEnd]).trimmingPrefix("[").reduce(into: "") { if $1 != "]" { $0.append($1) } }
      let rest = text[hostEnd...]
      port = rest.hasPrefix(":") && rest.count > 1 ? String(rest.dropFirst()) : "443"
    }
  }
}
