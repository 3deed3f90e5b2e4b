import EnginePair
import HTTP3Engine
import LinkModel

/// The state of client and server before an input's own orders, given by its first byte.
struct FuzzedOpening {
  /// The client's memory of an earlier connection.
  enum Past: UInt8 {
    case none, token, ticket
    /// A ticket and a token of a server that was started again since, with the same ticket secret.
    case restart
  }

  enum Versions: UInt8 {
    case one, two
    /// The server takes the client over to the other one.
    case oneToTwo, twoToOne
  }

  /// The side that is attacked, where one is.
  let attacksServer: Bool
  let past: Past
  /// Whether the server answers a first packet without a token of its own with Retry.
  let asksForAddress: Bool
  let versions: Versions
  let usesDatagrams: Bool
  /// Whether the client's address changes on the way, first port and then host.
  let isRebound: Bool

  init(_ byte: UInt8) {
    attacksServer = byte & 1 == 0
    past = Past(rawValue: byte >> 1 & 3) ?? .none
    asksForAddress = byte & 8 != 0
    versions = Versions(rawValue: byte >> 4 & 3) ?? .one
    usesDatagrams = byte & 0x40 != 0
    isRebound = byte & 0x80 != 0
  }

  func apply(to client: inout ClientConfiguration) {
    client.connection.usesDatagrams = usesDatagrams
    switch versions {
    case .one: client.connection.versions = [.v1]
    case .two: client.connection.versions = [.v2]
    case .oneToTwo: client.connection.versions = [.v1, .v2]
    case .twoToOne: client.connection.versions = [.v2, .v1]
    }
  }

  func apply(to server: inout ServerConfiguration) {
    server.connection.usesDatagrams = usesDatagrams
    if asksForAddress { server.addressValidation = .always }
    switch versions {
    case .one, .two: break
    case .oneToTwo:
      server.connection.versions = [.v2, .v1]
      server.changesVersion = true
    case .twoToOne:
      server.connection.versions = [.v1, .v2]
      server.changesVersion = true
    }
    server.resetSecret = [UInt8](repeating: 5, count: 32)
    server.secrets = [[UInt8](repeating: 7, count: 32)]
  }

  var conditions: LinkConditions {
    var conditions = VirtualLink.plain
    // Once: of an address that changes for ever nobody says when the last request ends.
    if isRebound { conditions.rebinding = Rebinding(firstMilliseconds: 150, changesAddress: past == .none) }
    return conditions
  }
}
