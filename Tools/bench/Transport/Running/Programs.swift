import ArgumentParser
import Foundation

/// The paths of the programs that the benchmark runs, and of their files.
final class Programs {
  /// The checkout that this is run in.
  private let root: URL
  let folder: URL
  /// The certificate that clients trust, and the chain and key of servers.
  let authority: String
  let chain: String
  let key: String
  /// The peers that were left out, with the reasons.
  private(set) var skipped: [String] = []
  private var missing: Set<String> = []
  /// Files that were made outside the folder.
  private var made: Set<String> = []

  init() throws {
    root = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    guard FileManager.default.isExecutableFile(atPath: root.path + "/Interop/peers/certificate") else {
      throw ValidationError("There is no Interop/peers here; run this in the checkout's folder.")
    }
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("agent-stream-bench-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let outcome = try ChildProcess.run([root.path + "/Interop/peers/certificate"])
    authority = outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    guard outcome.status == 0, !authority.isEmpty else {
      throw ValidationError("No certificate could be made: \(outcome.errors) Tools/setup --tests installs openssl.")
    }
    let certificates = URL(fileURLWithPath: authority).deletingLastPathComponent().path
    chain = certificates + "/chain.pem"
    key = certificates + "/key.pem"
  }

  func removeFiles() {
    for path in made { try? FileManager.default.removeItem(atPath: path) }
    try? FileManager.default.removeItem(at: folder)
  }

  /// This program itself.
  var ours: [String] { [Self.own, "transport-peer"] }
  static var own: String { "/proc/self/exe".resolvingLink }
  /// Starts a server that others wrote, by its name.
  var peerServer: String { root.path + "/Interop/peers/server" }
  var ngtcp2: String { root.path + "/Interop/peers/ngtcp2" }
  var caddy: String { root.path + "/Interop/peers/caddy" }
  var clients: String { root.path + "/Tools/bench/Transport/clients/run" }

  /// Whether `command`, which fetches or starts a peer, succeeds; reports it, once, when not.
  func has(_ name: String, _ command: [String]) -> Bool {
    guard !missing.contains(name) else { return false }
    let outcome = try? ChildProcess.run(command)
    guard outcome?.status != 0 else { return true }
    missing.insert(name)
    let reason = outcome?.errors.trimmingCharacters(in: .whitespacesAndNewlines) ?? "it cannot be started"
    note("\(name) is left out: \(reason)")
    return false
  }

  /// Reports what is missing, and keeps it for the report.
  func note(_ message: String) {
    skipped.append(message)
    FileHandle.standardError.write(Data("bench: \(message)\n".utf8))
  }

  /// A file of that many zeros, which takes no room on the disk.
  func file(of size: Int, in folder: String? = nil) throws -> String {
    let path = (folder ?? self.folder.path) + "/bench-\(size)"
    guard FileManager.default.createFile(atPath: path, contents: nil), truncate(path, off_t(size)) == 0 else {
      throw ValidationError("\(path) cannot be made.")
    }
    made.insert(path)
    return path
  }
}

extension String {
  fileprivate var resolvingLink: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: self)) ?? self
  }
}
