package import HTTP3Engine

/// The settings of DNS queries, in the words of resolv.conf(5).
package struct DNSSettings: Hashable, Sendable {
  /// The most that the C library's resolver takes.
  private static let mostServers = 3
  private static let mostDomains = 32
  private static let mostDots = 15
  private static let mostAttempts = 5
  private static let longestTimeout = 30
  private static let port: UInt16 = 53

  /// Asked one after the other, each when those before it are silent or fail.
  package private(set) var servers: [NetworkAddress] = []
  /// Domains in which a name is looked up, too.
  package private(set) var search: [String] = []
  /// A name with fewer dots is looked up in the domains first.
  package private(set) var dots = 1
  /// The wait for each server in the first round; each further round waits twice as long.
  ///
  /// Where the file does not say it, a lost packet costs a second, not the five of the C library's resolver.
  package private(set) var timeout = Duration.seconds(1)
  /// Rounds through the servers.
  package private(set) var attempts = 4
  /// Whether look-ups begin with another server in turn.
  package private(set) var rotates = false

  /// - Parameters:
  ///   - text: the file. A server may have a port of its own, as in `[192.0.2.1]:5353`.
  ///   - environment: in which `LOCALDOMAIN` and `RES_OPTIONS` change what the file says.
  ///   - machine: this machine's name; its domain is searched where the file names none.
  package init(resolvConf text: String, environment: [String: String] = [:], machine: String = "") {
    var domains = machine.split(separator: ".", maxSplits: 1).dropFirst()
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.prefix { $0 != "#" && $0 != ";" }.split(whereSeparator: \.isWhitespace)
      switch words.first {
      case "nameserver": words.dropFirst().prefix(1).compactMap(Self.server).forEach { servers.append($0) }
      case "domain", "search": domains = words.dropFirst()
      case "options": words.dropFirst().forEach { apply($0) }
      case .some, nil: continue
      }
    }
    if let local = environment["LOCALDOMAIN"] { domains = local.split(whereSeparator: \.isWhitespace)[...] }
    environment["RES_OPTIONS"]?.split(whereSeparator: \.isWhitespace).forEach { apply($0) }
    search = domains.compactMap { HostName(String($0))?.text }.prefix(Self.mostDomains).map { $0 }
    servers = Array(servers.prefix(Self.mostServers))
    if servers.isEmpty { servers = [.loopback(port: Self.port)] }
  }

  /// The name as it is to be looked up: one that ends with a dot is not looked up in any domain.
  package func query(for name: HostName) -> String {
    name.isComplete || search.isEmpty ? name.text + "." : name.text
  }

  private mutating func apply(_ option: Substring) {
    let parts = option.split(separator: ":", maxSplits: 1)
    let number = parts.count == 2 ? Int(parts[1]).map { max($0, 0) } : nil
    switch (parts.first, number) {
    case ("rotate", nil): rotates = true
    case ("ndots", let number?): dots = min(number, Self.mostDots)
    case ("timeout", let number?): timeout = .seconds(min(max(number, 1), Self.longestTimeout))
    case ("attempts", let number?): attempts = min(max(number, 1), Self.mostAttempts)
    default: break
    }
  }

  private static func server(_ text: Substring) -> NetworkAddress? {
    guard text.first == "[", let end = text.lastIndex(of: "]") else {
      return NetworkAddress(literal: String(text), port: port)
    }
    let literal = String(text[..<end].dropFirst())
    let rest = text[end...].dropFirst()
    guard rest.first == ":", let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
    return NetworkAddress(literal: literal, port: port)
  }
}
