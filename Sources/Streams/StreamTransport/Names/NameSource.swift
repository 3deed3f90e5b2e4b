/// A place that knows addresses of names, one of those that nsswitch.conf(5) puts in order for `hosts`.
package enum NameSource: Hashable, Sendable {
  /// `files`: the file of hosts(5).
  case hosts
  /// `myhostname`: this machine's own name, which stands for its loopback addresses.
  case machine
  /// `dns` and `resolve`: the name servers of resolv.conf(5).
  case dns

  /// The order in which to ask, each place once.
  ///
  /// Other services, such as `mdns4_minimal` and `ldap`, are modules of the C library and are left out, and so are the
  /// actions in brackets: a place that does not know a name leads to the next one.
  package static func order(nsswitch text: String) -> [NameSource] {
    var order: [NameSource] = []
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.prefix { $0 != "#" }.drop(while: \.isWhitespace).split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0] == "hosts" else { continue }
      order = services(parts[1]).compactMap(NameSource.init(service:))
    }
    var known: Set<NameSource> = []
    order.removeAll { !known.insert($0).inserted }
    return order.isEmpty ? [.hosts, .dns] : order
  }

  private init?(service: Substring) {
    switch service {
    case "files": self = .hosts
    case "myhostname": self = .machine
    case "dns", "resolve": self = .dns
    default: return nil
    }
  }

  /// The words outside of brackets.
  private static func services(_ text: Substring) -> [Substring] {
    text.split(separator: "[", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
      let outside = index == 0 ? part : part.drop { $0 != "]" }.dropFirst()
      return outside.split(whereSeparator: \.isWhitespace)
    }
  }
}
