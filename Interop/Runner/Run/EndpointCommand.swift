import Foundation
import LinkEmulator

/// The command that starts a peer or our own endpoint in a run.
struct EndpointCommand {
  var checkout: RunnerPlaces
  var peers: PeerFolder
  var folder: CellFolder
  var certificates: String
  var requests: String

  /// - Parameter isOverHTTP3: whether our endpoint must speak HTTP/3 in all cases, for the other side knows nothing else.
  func command(_ peer: Peer, _ role: Role, testCase: String, isOverHTTP3: Bool) -> NamespacedCommand {
    var environment = ProcessInfo.processInfo.environment
    for name in ["SSLKEYLOGFILE", "QLOGDIR", "CLIENT_PARAMS", "SERVER_PARAMS", "REQUESTS", "UPSTREAM"] {
      environment[name] = nil
    }
    environment["ROLE"] = role.rawValue
    environment["TESTCASE"] = testCase
    if role == .client { environment["REQUESTS"] = requests }
    let words: [String]
    if peer.isOurs {
      environment["SSLKEYLOGFILE"] = "/logs/keys.log"
      environment["QLOGDIR"] = "/logs/qlog/"
      if isOverHTTP3 { environment["\(role.rawValue.uppercased())_PARAMS"] = "--protocol h3" }
      words = [
        folder.hosts, folder.root(role), folder.www, folder.downloads, certificates, folder.logs(role),
        checkout.endpoint,
      ]
    } else {
      environment["WWW"] = folder.www
      environment["DOWNLOADS"] = folder.downloads
      environment["CERTS"] = certificates
      environment["LOGS"] = folder.logs(role)
      environment["ADDRESS"] = LinkSide.server.address
      environment["ADDRESS6"] = LinkSide.server.addressIPv6
      environment["PORT"] = "\(ReadinessProbe.port)"
      environment["SSLKEYLOGFILE"] = folder.keyLog(role)
      environment["QLOGDIR"] = folder.logs(role) + "/qlog"
      words = [folder.hosts, "-", peers.script(peer.command[0])] + peer.command.dropFirst()
    }
    let output = NamespacedCommand.Output.file(path: folder.output(role))
    return NamespacedCommand(checkout.enclosure, words, environment: environment, output: output, error: output)
  }

  static let hosts = """
    127.0.0.1 localhost
    ::1 localhost
    \(LinkSide.server.address) server server4 server46
    \(LinkSide.server.addressIPv6) server6 server46

    """
}
