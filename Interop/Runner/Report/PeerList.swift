/// The output of --list.
enum PeerList {
  static func text(cases: [InteropCase], ours: Peer, clients: [Peer], servers: [Peer]) -> String {
    var text = "Cases\n"
    for testCase in cases {
      let name = testCase.abbreviation + String(repeating: " ", count: max(1, 5 - testCase.abbreviation.count))
      text += "  \(name)\(testCase.name): \(testCase.about)\n"
    }
    for (title, peers) in [("Servers", [ours] + servers), ("Clients", [ours] + clients)] {
      text += title + "\n"
      for peer in peers {
        text += "  \(peer.name) \(peer.version) (\(peer.stack))"
        let lacks = peer.lacks.keys.sorted()
        text += lacks.isEmpty ? "\n" : ", without \(lacks.joined(separator: ", "))\n"
      }
    }
    return text
  }
}
