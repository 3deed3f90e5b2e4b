import Foundation

/// The peers' data files and scripts.
struct PeerFolder: Sendable {
  static let mostPeers = 200

  var path: String

  func script(_ name: String) -> String { path + "/" + name }

  /// All peers of a role by name; files that can't be used are reported and left out.
  func peers(_ role: Role, warn: (String) -> Void) -> [Peer] {
    let folder = "\(path)/\(role.rawValue)s"
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".json") }
    if names.count > Self.mostPeers {
      warn("\(folder) has \(names.count) peers; the first \(Self.mostPeers) are read.")
    }
    return names.sorted().prefix(Self.mostPeers).compactMap { name in
      let file = "\(folder)/\(name)"
      do {
        let peer = try Self.peer(Data(contentsOf: URL(fileURLWithPath: file)))
        guard peer.name + ".json" == name else {
          warn("\(file) is left out: it names the peer '\(peer.name)', so it should be \(peer.name).json.")
          return nil
        }
        return peer
      } catch {
        warn("\(file) is left out: \(Self.sentence(error))")
        return nil
      }
    }
  }

  static func peer(_ data: Data) throws -> Peer {
    guard data.count <= Peer.mostBytes else {
      throw SelectionError("it has \(data.count) bytes; \(Peer.mostBytes) are the most.")
    }
    return try JSONDecoder().decode(Peer.self, from: data)
  }

  /// The fault of a file, in words.
  static func sentence(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, _): "\"\(key.stringValue)\" is missing."
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\"\(context.codingPath.map(\.stringValue).joined(separator: "."))\" is of the wrong type."
    case DecodingError.dataCorrupted(let context):
      context.debugDescription + (context.debugDescription.hasSuffix(".") ? "" : ".")
    case _: "\(error)"
    }
  }
}
