import ArgumentParser
import Foundation

/// A server that is up for a load.
final class ServerUnderLoad {
  let subject: ServerSubject
  let port: Int
  private let child: ChildProcess
  private let programs: Programs

  var tree: ProcessTree { ProcessTree(of: child.identifier) }

  /// Starts it in the folder of the programs' files.
  ///
  /// - Parameter tool: what the server is run by, such as valgrind; for ours and gtlsserver.
  init(_ subject: ServerSubject, _ programs: Programs, tool: [String] = []) throws {
    self.subject = subject
    self.programs = programs
    _ = try programs.file(of: 1_024)
    let folder = programs.folder.path
    switch subject {
    case .ours, .oursOnLoop, .oursOnTwoLoops:
      child = try ChildProcess.start(
        tool + (tool.isEmpty ? programs.ours : InstructionCounter.stripped(programs.ours, programs))
          + ["router", programs.chain, programs.key, folder] + subject.options)
      guard let port = Int(child.firstLine()) else { throw ValidationError("Our own server does not start.") }
      self.port = port
      return
    case .gtlsserver:
      port = try RunningServer.freePort()
      child = try ChildProcess.start(
        [
          programs.ngtcp2, "gtlsserver", "127.0.0.1", String(port), programs.key, programs.chain, "--quiet",
          "--htdocs", folder, "--timeout", "600s",
        ], environment: ["BENCH_WRAPPER": tool.joined(separator: " ")])
    case .quicGo, .nginx, .caddy:
      port = try RunningServer.freePort()
      child = try ChildProcess.start(
        [programs.peerServer, subject.rawValue], environment: ["PORT": String(port), "WWW": folder])
    }
    // valgrind takes its time.
    guard RunningServer.isListening(port, within: 30) else {
      child.end()
      throw ValidationError("\(subject.rawValue) does not start.")
    }
  }

  /// Whether the server is available; reports it when not.
  static func isAvailable(_ subject: ServerSubject, _ programs: Programs) -> Bool {
    switch subject {
    case .ours, .oursOnLoop, .oursOnTwoLoops: true
    case .gtlsserver: programs.has(subject.rawValue, [programs.ngtcp2])
    case .quicGo, .nginx, .caddy: programs.has(subject.rawValue, [programs.peerServer, subject.rawValue, "--fetch"])
    }
  }

  /// The command of a load on it.
  func command(_ mode: LoadPeer.Mode, _ path: String, _ count: Int, _ options: [String] = []) -> [String] {
    programs.ours + ["load", mode.rawValue, String(port), programs.authority, path, String(count)] + options
  }

  func end() { child.end(by: SIGTERM) }
}
