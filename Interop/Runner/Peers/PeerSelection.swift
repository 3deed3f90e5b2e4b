/// The pairs to run: our endpoint with every peer, never two peers with each other.
struct PeerSelection: Sendable {
  struct Pair: Hashable, Sendable {
    var client: Peer
    var server: Peer
    var name: String { "\(server.name)_\(client.name)" }
  }

  var clients: [Peer] = []
  var servers: [Peer] = []

  /// In which order the quick run takes its three servers, each of another QUIC stack; the others follow by name.
  static let smokeOrder = ["caddy", "aioquic", "gtlsserver", "nginx130", "haproxy", "quic-go"]
  static let smokeCount = 3

  /// - Parameters:
  ///   - names: separated by commas or spaces; nil for all.
  ///   - role: ours; nil for both.
  static func select(
    ours: Peer, clients: [Peer], servers: [Peer], names: String?, role: Role?, isSmoke: Bool
  ) throws(SelectionError) -> PeerSelection {
    var selection = PeerSelection()
    let others = (role != .server ? servers : []).map(\.name) + (role != .client ? clients : []).map(\.name)
    var wanted: Set<String>?
    if let names {
      let words = names.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
      if let unknown = words.first(where: { $0 != ours.name && !others.contains($0) }) {
        throw SelectionError(
          "'\(unknown)' is no peer here; they are \(ours.name) \(Set(others).sorted().joined(separator: " ")).")
      }
      guard !words.isEmpty else { throw SelectionError("--peers names none; leave it out for all.") }
      wanted = Set(words)
    }
    func isWanted(_ peer: Peer) -> Bool { wanted?.contains(peer.name) ?? true }
    if role != .server {
      selection.clients = [ours]
      selection.servers = servers.filter(isWanted)
    }
    if isSmoke, wanted == nil { selection.servers = smoke(selection.servers) }
    if role != .client, !(isSmoke && wanted == nil) {
      selection.clients += clients.filter(isWanted)
    }
    // Our client runs against our server in either role.
    let hasPeerClients = selection.clients.contains { !$0.isOurs }
    if (isWanted(ours) && !(isSmoke && wanted == nil)) || hasPeerClients { selection.servers.insert(ours, at: 0) }
    if role == .server, isWanted(ours) { selection.clients.insert(ours, at: 0) }
    return selection
  }

  private static func smoke(_ servers: [Peer]) -> [Peer] {
    func rank(_ peer: Peer) -> Int { smokeOrder.firstIndex(of: peer.name) ?? smokeOrder.count }
    return Array(servers.sorted { (rank($0), $0.name) < (rank($1), $1.name) }.prefix(smokeCount))
  }

  /// Client by client, as the matrix is read.
  var pairs: [Pair] {
    clients.flatMap { client in
      servers.filter { client.isOurs || $0.isOurs }.map { Pair(client: client, server: $0) }
    }
  }
}
