import Foundation
import LinkEmulator
import LinkModel

/// The work before all runs: fetching peers, making certificates, checking that our endpoint keeps the contract.
struct Preparation: Sendable {
  static let cannotRunHere: Int32 = 75
  /// A cold fetch of the largest peer takes a minute or two.
  private static let fetchSeconds = 900.0

  var checkout: RunnerPlaces
  var peers: PeerFolder
  var tool: Tool
  var scratch: String

  /// nil if the peer is there; else why not, in a sentence.
  func reasonForMissing(_ peer: Peer) -> String? {
    guard !peer.isOurs else {
      return FileManager.default.isExecutableFile(atPath: checkout.endpoint)
        ? nil : "\(checkout.endpoint) is not built (swift build --product interop-endpoint)."
    }
    let script = peers.script(peer.command[0])
    guard FileManager.default.isExecutableFile(atPath: script) else { return "\(script) is not there." }
    let answer = tool.run(script, peer.command.dropFirst() + ["--fetch"], seconds: Self.fetchSeconds)
    switch answer.status {
    case 0: return nil
    case Tool.timedOut: return "Fetching it took longer than \(Int(Self.fetchSeconds)) s."
    case Self.cannotRunHere: return answer.lastWords
    case let status: return "Fetching it failed with \(status): \(answer.lastWords)"
    }
  }

  /// Folders of certificates by the length of their chain.
  func certificates(for cases: [InteropCase]) throws(SelectionError) -> [Int: String] {
    var folders: [Int: String] = [:]
    for length in Set(cases.map(\.certificateChainLength)).sorted() {
      let folder = "\(scratch)/certificates-\(length)"
      let answer = tool.run(checkout.certificates, [folder, "\(length)"], seconds: 60)
      guard answer.isSuccess else {
        throw SelectionError("The certificates could not be made; is openssl installed? \(answer.lastWords)")
      }
      folders[length] = folder
    }
    return folders
  }

  /// An endpoint must exit with 127 for a case that it does not know, before anything else is asked of it. Answers what it
  /// did instead.
  func contractProblem(_ role: Role, certificates: String) throws -> String? {
    let folder = CellFolder(path: "\(scratch)/contract-\(role.rawValue)", scratch: "\(scratch)/contract-scratch")
    try folder.make()
    defer { folder.tidy(keepsCaptures: false) }
    try EndpointCommand.hosts.write(toFile: folder.hosts, atomically: false, encoding: .utf8)
    let link = try EmulatedLink(
      conditions: CaseNetwork.simple.conditions, seed: LinkSeed(scenario: 0, repetition: 0))
    defer { link.stop(grace: .zero) }
    try link.start()
    let command = EndpointCommand(
      checkout: checkout, peers: peers, folder: folder, certificates: certificates,
      requests: "https://server4:443/nothing")
    let unknown = "case-" + String(UInt64.random(in: 0 ... .max), radix: 36)
    let process = try link.start(
      command.command(.ours(version: ""), role, testCase: unknown, isOverHTTP3: false),
      on: role == .client ? .client : .server)
    let ending = process.waitUntilEnded(timeout: .seconds(10))
    guard ending?.exitCode != 127 else { return nil }
    return "it \(ending?.sentence ?? "still ran after 10 s") for the unknown case '\(unknown)', and 127 is asked for."
      + folder.lastWords(role)
  }
}
