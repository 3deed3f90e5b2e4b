/// A browser's session as its cookie holds it: an access token and the renewal token for the next one.
///
/// The prefix `__Host-` has browsers take it with `Secure`, for this very host and its whole path alone, so that no
/// neighbour in the domain can plant another. They do not distinguish ports: the name has the port, so that two companions
/// of one machine do not overwrite each other's.
struct SessionCookie: Sendable {
  /// The longest time that browsers keep a cookie, in seconds. Each renewal begins it again.
  private static let lifetime = 400 * 24 * 3_600
  private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Strict"

  let access: String
  let renewal: String

  init(access: String, renewal: String) {
    self.access = access
    self.renewal = renewal
  }

  /// Reads a request's `cookie` field (RFC 6265 § 5.4); nil where it has no such cookie, one of another form, or two.
  init?(field: String?, port: Int) {
    guard let field else { return nil }
    let name = Self.name(port: port)
    let values = field.split(separator: ";").compactMap { pair -> Substring? in
      let pair = pair.drop { $0 == " " }
      return pair.hasPrefix(name + "=") ? pair.dropFirst(name.count + 1) : nil
    }
    guard values.count == 1, let value = values.first else { return nil }
    let tokens = value.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard tokens.count == 2, tokens.allSatisfy({ BearerToken($0) != nil }) else { return nil }
    access = tokens[0]
    renewal = tokens[1]
  }

  static func name(port: Int) -> String { "__Host-codex-\(port)" }

  /// The `set-cookie` field that has a browser keep it.
  func field(port: Int) -> String {
    "\(Self.name(port: port))=\(access).\(renewal); Max-Age=\(Self.lifetime); \(Self.attributes)"
  }

  /// The `set-cookie` field that has a browser forget it.
  static func removal(port: Int) -> String { "\(name(port: port))=; Max-Age=0; \(attributes)" }
}
