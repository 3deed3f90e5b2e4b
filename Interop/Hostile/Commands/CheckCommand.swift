import ArgumentParser
import Foundation
import HTTP3Engine
import Processes
import StreamTransport
import ToolSupport

/// `check`: all cases, or some, with a client's command.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Plays cases with a client and prints a table.",
    discussion: """
      The client is started anew for each case, twice where a case is about a second connection. In its command {url}, \
      {host}, {port}, {ca} (a PEM file) and {state} (a folder of the case's own, for session tickets) are filled in; \
      exit status 0 says that its request succeeded. Exit codes: 0 all passed; 1 one failed; 64 usage.
      """)

  @Option(help: "The client's command; h3get beside this program without one.")
  var client: String?

  @Option(help: ArgumentHelp("The most memory that a client may take.", valueName: "megabytes"))
  var memory = 256

  @Flag(help: "One JSON object a line in place of the table.")
  var json = false

  @Argument(help: "Names from `list`; all without one.")
  var cases: [String] = []

  func validate() throws {
    for name in cases where HostileCase.named(name) == nil {
      throw ValidationError("'\(name)' is no case; see `list`.")
    }
    guard memory > 0, memory < 1 << 20 else { throw ValidationError("--memory takes megabytes above 0.") }
  }

  func run() async throws {
    let command = try client ?? Self.ownClient()
    let loop = try EventLoop(name: "hostile")
    defer { loop.stop() }
    var counts: [CaseVerdict.Result: Int] = [:]
    for row in cases.isEmpty ? HostileCase.all : cases.compactMap(HostileCase.named) {
      let verdict = try await play(row, command, on: loop)
      counts[verdict.result, default: 0] += 1
      print(json ? try JSONLine.text(of: verdict) : Self.line(verdict))
      fflush(nil)
    }
    if !json {
      print("\(counts[.passed] ?? 0) passed, \(counts[.failed] ?? 0) failed, \(counts[.skipped] ?? 0) skipped")
    }
    if counts[.failed] != nil { throw ExitCode(1) }
  }

  private func play(_ row: HostileCase, _ command: String, on loop: EventLoop) async throws -> CaseVerdict {
    let folder = NSTemporaryDirectory() + "hostile-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let certificates = try CaseCertificates(row.certificate, key: .p256)
    try certificates.authority.write(toFile: folder + "/ca.pem", atomically: true, encoding: .utf8)
    let listener = try HostileListener(row, certificates.credentials, port: 0, on: loop)
    try await listener.open()
    let values = [
      "{url}": "https://127.0.0.1:\(listener.port)/", "{host}": "127.0.0.1", "{port}": String(listener.port),
      "{ca}": folder + "/ca.pem", "{state}": folder,
    ]
    let filled = values.reduce(command) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
    var end: ChildEnd?
    for _ in row.scripts {
      let process = try TestedClient(filled, environment: ["XDG_STATE_HOME": folder], output: folder + "/output")
      // Time to start, which is not the case's.
      end = try await process.wait(for: row.limit + .seconds(2))
    }
    let over = loop.now
    let seen = await listener.observe()
    await listener.close()
    return CaseVerdict(
      row, seen, succeeded: end.map { $0.status == 0 }, isOver: end != nil, time: seen.firstDatagram.map { over - $0 },
      peakMemory: end?.usage.peakMemory, memoryLimit: memory << 20)
  }

  private static func ownClient() throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let program = (own as NSString).deletingLastPathComponent + "/h3get"
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw ValidationError("There is no h3get beside this program; build it, or name a client with --client.")
    }
    return "'\(program)' --http3-only --ca-file {ca} --0rtt --timeout 12 {url}"
  }

  private static func line(_ verdict: CaseVerdict) -> String {
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(1, width - text.count))
    }
    let memory = verdict.peakMegabytes.map { "\($0) MB" } ?? "-"
    let seconds = verdict.seconds.map { "\($0) s" } ?? "-"
    let note = verdict.result == .passed ? (verdict.fit == .generic ? "generic code" : "") : verdict.reason ?? ""
    let wanted = verdict.result == .failed ? " Demanded: \(verdict.demands.joined(separator: "; "))." : ""
    return padded(verdict.name, 32) + padded(verdict.result.rawValue, 8) + padded(seconds, 9) + padded(memory, 8)
      + verdict.outcome + (note.isEmpty ? "" : " (\(note)\(wanted))")
  }
}
