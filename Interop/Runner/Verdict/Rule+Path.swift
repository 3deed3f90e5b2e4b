/// Rules about paths, after the public runner's checks (testcases_quic.py).
extension Rule {
  static let severalClientAddresses = Rule("severalClientAddresses") { evidence in
    let addresses = Set(evidence.serverTrace.datagrams(from: .server).map(\.destination.address))
    return addresses.count > 1 ? nil : "The server saw a single address of the client, so nothing was tested."
  }

  /// The server's first packet on each new path has a PATH_CHALLENGE, and the client answers all of these.
  static let newPathsAreChallenged = Rule("newPathsAreChallenged") { evidence in
    let sent = evidence.serverTrace.datagrams(from: .server)
    let firsts = firstsOnNewPaths(sent)
    if let silent = firsts.first(where: { $0.pathChallenges.isEmpty }) {
      return "The server's first packet to \(silent.destination) has no PATH_CHALLENGE."
    }
    guard !firsts.isEmpty else { return "The server used a single path, so nothing was tested." }
    let responses = Set(evidence.clientTrace.datagrams(from: .client).flatMap(\.pathResponses))
    let unanswered = firsts.flatMap { $0.pathChallenges.prefix(1) }.filter { !responses.contains($0) }
    return unanswered.isEmpty
      ? nil : "The client did not answer the PATH_CHALLENGE \(unanswered.joined(separator: ", "))."
  }

  /// RFC 9000 § 9.5: a connection ID is not used on two paths.
  static let newPathHasNewConnectionID = Rule("newPathHasNewConnectionID") { evidence in
    let sent = evidence.clientTrace.datagrams(from: .client)
    var identifier = sent.first?.packets.first?.destinationID
    for datagram in firstsOnNewPaths(sent) {
      let new = datagram.packets.first?.destinationID
      if new == identifier {
        return
          "The client's first packet to \(datagram.destination) has the connection ID of the path before, \(new ?? "")."
      }
      identifier = new
    }
    return nil
  }

  /// The first datagram on every path but the first one.
  private static func firstsOnNewPaths(_ datagrams: [TraceDatagram]) -> [TraceDatagram] {
    var seen: Set<[TraceDatagram.Endpoint]> = []
    return Array(datagrams.filter { seen.insert($0.path).inserted }.dropFirst())
  }
}
