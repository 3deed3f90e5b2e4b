import ArgumentParser
import Foundation
import StreamTransport

/// A server that is up, and how to end it.
struct RunningServer {
  enum Kind: String, CaseIterable {
    case gtlsserver
    case caddy
    case ours
  }

  let kind: Kind
  let port: Int
  private let child: ChildProcess?
  private let stop: [String]

  var url: String { "https://127.0.0.1:\(port)" }
  /// The process, where it is a child of this one.
  var process: Int32? { child?.identifier }

  /// The path that answers with so many bytes, one of the sizes that it was started for.
  func path(of size: Int) -> String { kind == .ours ? "/bytes/\(size)" : "/bench-\(size)" }

  /// Nil, after a report, when it is not available.
  static func start(_ kind: Kind, sizes: Set<Int> = [], _ programs: Programs) throws -> RunningServer? {
    switch kind {
    case .ours: return try startOurs(programs)
    case .gtlsserver:
      guard programs.has("gtlsserver", [programs.ngtcp2]) else { return nil }
      for size in sizes { _ = try programs.file(of: size) }
      let port = try freePort()
      let child = try ChildProcess.start([
        programs.ngtcp2, "gtlsserver", "127.0.0.1", String(port), programs.key, programs.chain, "--quiet",
        "--htdocs", programs.folder.path,
      ])
      guard isListening(port) else {
        child.end()
        throw ValidationError("gtlsserver does not start.")
      }
      return RunningServer(kind: kind, port: port, child: child, stop: [])
    case .caddy:
      let port = try freePort()
      let files = URL(fileURLWithPath: programs.authority).deletingLastPathComponent().deletingLastPathComponent()
      for size in sizes { _ = try programs.file(of: size, in: files.path + "/files") }
      guard programs.has("caddy", [programs.caddy, "start", "--port", String(port)]) else { return nil }
      return RunningServer(kind: kind, port: port, child: nil, stop: [programs.caddy, "stop"])
    }
  }

  private static func startOurs(_ programs: Programs) throws -> RunningServer {
    let child = try ChildProcess.start(programs.ours + ["serve", programs.chain, programs.key])
    guard let port = Int(child.firstLine()) else {
      child.end()
      throw ValidationError("Our own server does not start.")
    }
    return RunningServer(kind: .ours, port: port, child: child, stop: [])
  }

  func end() {
    child?.end()
    if !stop.isEmpty { _ = try? ChildProcess.run(stop) }
  }

  /// A UDP port that is free, until another program takes it.
  static func freePort() throws -> Int { Int(try BoundSocket(.udp).port) }

  /// Whether a program has the port, in the end.
  static func isListening(_ port: Int, within seconds: Int = 5) -> Bool {
    let mark = ":" + String(format: "%04X", port) + " "
    for _ in 0..<20 * seconds {
      let table = (try? String(contentsOfFile: "/proc/net/udp", encoding: .utf8)) ?? ""
      if table.contains(mark) { return true }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return false
  }
}
