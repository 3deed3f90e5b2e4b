import HTTPTypes

/// The rules on where a request may come from, apart from its token.
///
/// A page of another origin that a person's browser shows must not drive the companion (CSRF), and a name that was bound to
/// its address must not make it answer as another site (DNS rebinding).
struct AccessRules: Sendable {
  /// The hosts that the companion answers as, in lower case, without a port.
  private let hosts: Set<String>

  init(hosts: [String]) {
    self.hosts = Set(hosts.map { $0.lowercased() })
  }

  /// Throws ``CompanionError`` where the request's authority is not ours, or its origin is another's.
  func check(_ head: HTTPRequest) throws(CompanionError) {
    let authority = try authority(head)
    if let name = Self.fetchSite, let site = head.headerFields[name], site != "same-origin", site != "none" {
      throw Self.foreignPage
    }
    guard let origin = head.headerFields[.origin] else { return }
    let scheme = "https://"
    guard origin.hasPrefix(scheme), Authority(String(origin.dropFirst(scheme.count))) == authority else {
      throw Self.foreignPage
    }
  }

  /// Throws ``CompanionError`` where the request's authority is not ours. What holds no secret and changes nothing may be
  /// asked for from anywhere: a link to the page in a mail is one of another origin.
  func checkHost(_ head: HTTPRequest) throws(CompanionError) { _ = try authority(head) }

  /// The further check on a browser's session: browsers send its cookie by themselves, so a change must come from a
  /// page of ours for certain. Throws ``CompanionError``.
  func checkSession(_ head: HTTPRequest) throws(CompanionError) {
    guard head.method != .get, head.method != .head else { return }
    guard head.headerFields[.origin] != nil else {
      throw CompanionError(.forbidden, "A browser's session changes nothing without an origin; use a token.")
    }
    if let name = Self.fetchSite, let site = head.headerFields[name], site != "same-origin" { throw Self.foreignPage }
  }

  private func authority(_ head: HTTPRequest) throws(CompanionError) -> Authority {
    guard let authority = head.authority.map(Authority.init), hosts.contains(authority.host) else {
      throw CompanionError(.misdirectedRequest, "This companion does not answer under that name; see --host.")
    }
    return authority
  }

  private static let foreignPage = CompanionError(
    .forbidden, "Pages of other origins may not talk to this companion.")
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
