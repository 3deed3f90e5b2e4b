import CodexRemoteContract
import Foundation
import Logging
import ResolveKitCore
import StreamTransport
import Subprocess
import SystemPackage
import Testing

@testable import CodexCompanion

/// `companion` as a person at the workstation runs it, with a control socket that is served here.
@Suite(.timeLimit(.minutes(10)))
struct CompanionProgramTests {
  private let program = BuiltProgram(name: "companion")

  /// A state folder with a path short enough for a socket; gone after `body`.
  private func withFolder(_ body: (CompanionFolder) async throws -> Void) async throws {
    let folder = CompanionFolder(path: "/tmp/cp-\(String(UInt64.random(in: 0 ... .max), radix: 36))")
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    try folder.make()
    try await body(folder)
  }

  private struct Served {
    let folder: CompanionFolder
    let devices: DeviceRegistry
    let approvals: Approvals
    let pairings: Pairings
    let asked: AsyncStream<PairingQuestion>

    /// A phone reads the code's text and asks; answers once it waits.
    func confirm(_ uri: String, name: String = "Ana's phone") async throws -> Task<DeviceGrant, any Error> {
      let uri = try PairingURI(parsing: uri)
      let confirmation = Task { [pairings] in
        try await pairings.confirm(
          PairingConfirmation(pairingID: uri.pairingID, nonce: uri.nonce, deviceName: name), from: "192.0.2.7",
          kind: .permanent, patience: .seconds(150))
      }
      var iterator = asked.makeAsyncIterator()
      _ = await iterator.next()
      return confirmation
    }
  }

  private struct NoProjects: ServedProjects {
    func refresh() async {}
    func changed() async {}
  }

  private func serving(_ body: (Served) async throws -> Void) async throws {
    try await withFolder { folder in
      let devices = try DeviceRegistry(path: folder.devices)
      let audit = AuditLog(path: folder.auditLog)
      let approvals = try Approvals(path: folder.approvals, audit: audit)
      let (asked, ask) = AsyncStream.makeStream(of: PairingQuestion.self)
      let pairings = Pairings(devices: devices, audit: audit, ask: { ask.yield($0) })
      let catalog = try ProjectCatalog(file: folder.projects)
      let serving = HostControl.Serving(
        pairings, projects: NoProjects(),
        status: { ControlStatus(addresses: ["https://desk.example:8787"], codex: "c", processID: 1, startedAt: 2) }
      ) { ticket, client in
        client == .browser
          ? "https://desk.example:8787/#\(ticket.pairingID).\(ticket.nonce)"
          : PairingURI(
            scheme: .https, host: "desk.example", port: 8_787, ticket: ticket,
            fingerprint: client == .publicProtocol ? nil : [UInt8](repeating: 7, count: 32)
          ).text
      }
      let server = ControlServer(
        path: folder.controlSocket, logger: Logger(label: "test"),
        responder: HostControl(
          devices: devices, approvals: approvals, audit: audit, catalog: catalog, serving: serving))
      try await server.start()
      do {
        try await body(
          Served(folder: folder, devices: devices, approvals: approvals, pairings: pairings, asked: asked))
      } catch {
        await server.shutdown()
        throw error
      }
      await server.shutdown()
    }
  }

  private func run(_ arguments: [String], in folder: CompanionFolder) async throws -> BuiltProgram.Outcome {
    try await program.run(arguments + ["--state-folder", folder.path])
  }

  @Test func aDeviceIsPairedListedAndRevoked() async throws {
    try await serving { served in
      let pair = try await run(["pair"], in: served.folder)
      #expect(pair.status.isSuccess)
      let uri = String(try #require(pair.output.split(separator: "\n").first))
      #expect(try PairingURI(parsing: uri).fingerprint != nil)
      let confirmation = try await served.confirm(uri)
      let list = try await run(["confirm"], in: served.folder)
      #expect(list.output.contains("  Its own name: Ana's phone\n  Its address:  192.0.2.7\nIt has the code"))
      let id = try PairingURI(parsing: uri).pairingID
      #expect(try await run(["confirm", id, "--allow"], in: served.folder).output == "The device is paired.\n")
      let device = try await confirmation.value.device
      let devices = try await run(["devices"], in: served.folder).output
      #expect(devices.contains(device.id) && devices.contains("never") && devices.contains("Ana's phone"))
      #expect(try await run(["devices", "revoke", device.id], in: served.folder).status.isSuccess)
      #expect(served.devices.devices.isEmpty)
      let audit = try await run(["audit", "--lines", "1"], in: served.folder).output
      #expect(audit.contains("device revoked (by the person at the workstation):"))
      let again = try await run(["confirm", id, "--allow"], in: served.folder)
      #expect(!again.status.isSuccess && again.error.contains("No device waits for an answer there"))
    }
  }

  @Test func aCodeForPublicClientsHasTheirParametersAlone() async throws {
    try await serving { served in
      let pair = try await run(["pair", "--public-client", "--code", "light"], in: served.folder)
      let lines = pair.output.split(separator: "\n")
      let uri = try PairingURI(parsing: String(try #require(lines.first { $0.hasPrefix("codexremote") })))
      #expect(uri.fingerprint == nil)
      #expect(pair.output.contains(try QRCode(uri.text).terminalText(.plainOnLight)))
    }
  }

  @Test(arguments: [("y", true), ("n", false), ("", false)])
  func theQuestionComesToTheTerminalWithTheCode(answer: String, isPaired: Bool) async throws {
    try await serving { served in
      let arguments = ["pair", "--code", "dark", "--state-folder", served.folder.path]
      let outcome = try await TerminalDialogue.hold(with: "companion", arguments) { dialogue in
        try await dialogue.expect("Valid until")
        let record = dialogue.terminal.record
        let start = try #require(record.range(of: "codexremote:"))
        let uri = String(record[start.lowerBound...].prefix { !$0.isWhitespace && !$0.isNewline })
        let confirmation = try await served.confirm(uri, name: "x\u{1B}[2J")
        try await dialogue.expect("Its own name: x\\u001b[2J\r\n")
        try await dialogue.expect("[y/N] ")
        dialogue.type(answer + "\r")
        #expect(((try? await confirmation.value) != nil) == isPaired)
      }
      #expect(outcome.status == .exited(0))
      #expect(outcome.record.contains(isPaired ? "The device is paired." : "The device is denied."))
      #expect(served.devices.devices.count == (isPaired ? 1 : 0))
    }
  }

  @Test func withoutACompanionTheFilesAreAsked() async throws {
    try await withFolder { folder in
      let tool = ApprovalSubject.mcpTool(server: "tiny", tool: "poke", definition: ["v": 1], arguments: [:])
      let id: String
      do {
        let approvals = try Approvals(path: folder.approvals, audit: AuditLog(path: folder.auditLog))
        #expect(try approvals.decide(.allowAlways, on: tool, chat: "c", by: nil))
        id = try #require(approvals.allowances.first).id
      }
      let list = try await run(["approvals"], in: folder).output
      #expect(list.contains(id) && list.contains(#"the tool "poke" of the MCP server "tiny""#))
      #expect(try await run(["approvals", "deny", id], in: folder).status.isSuccess)
      #expect(try await run(["approvals"], in: folder).output.contains("deny"))
      #expect(try await run(["approvals", "revoke", id], in: folder).status.isSuccess)
      #expect(try await run(["approvals"], in: folder).output == "Nothing was decided permanently.\n")
      let audit = try await run(["audit"], in: folder).output.split(separator: "\n")
      #expect(audit.count == 3 && audit[0].contains(" approved in chat c (allow_always): mcp {"))
      #expect(audit[2].contains(" decision revoked "))
      let pair = try await run(["pair"], in: folder)
      #expect(!pair.status.isSuccess && pair.error.contains("companion serve"))
      let missing = try await run(["devices", "revoke", "nope"], in: folder)
      #expect(!missing.status.isSuccess && missing.error.contains("There is no device 'nope'"))
    }
  }

  @Test func projectsAreHiddenAndShownWithAndWithoutACompanion() async throws {
    try await serving { served in
      #expect(try await run(["projects", "hide", "/tmp/../tmp/x/"], in: served.folder).output.hasSuffix(": /tmp/x\n"))
      #expect(try await run(["projects"], in: served.folder).output.contains("hidden   -          /tmp/x\n"))
      #expect(try await run(["projects", "show", "/tmp/x"], in: served.folder).status.isSuccess)
      let again = try await run(["projects", "show", "/tmp/x"], in: served.folder)
      #expect(!again.status.isSuccess && again.error.contains("'/tmp/x' is not hidden."))
    }
    try await withFolder { folder in
      #expect(try await run(["projects"], in: folder).output == "There is no project, and nothing is hidden.\n")
      #expect(try await run(["projects", "hide", "/tmp"], in: folder).status.isSuccess)
      let inner = try await run(["projects", "show", "/tmp/x"], in: folder)
      #expect(!inner.status.isSuccess && inner.error.contains("with a folder above it"))
      #expect(try await run(["audit"], in: folder).output.contains("project hidden"))
    }
  }

  @Test func theDoctorSaysWhatToDo() async throws {
    try await withFolder { folder in
      let arguments = ["doctor", "--port", "0", "--state-folder", folder.path]
      let missing = try await program.run(arguments, environment: ["PATH": "/nowhere"])
      #expect(missing.status == .exited(1))
      #expect(missing.output.contains("PROBLEM codex: Codex cannot be run:"))
      #expect(missing.output.contains("        -> apt-get install git\n"))
      let json = try await program.run(arguments + ["--json"], environment: ["PATH": "/nowhere"])
      #expect(json.status == .exited(1))
      let report = try #require(try JSONValue(parsing: Array(json.output.utf8)).objectValue)
      #expect(report["ok"] == false)
      let subjects = report["findings"]?.arrayValue?.map { $0.objectValue?["subject"] }
      #expect(subjects == ["codex", "git", "certificate", "state", "port", "companion"])
    }
  }

  /// The folder of the unit has to be one that systemd takes paths from.
  @Test func theUnitHoldsTheOptionsAndIsOneForSystemd() async throws {
    try await withFolder { folder in
      let project = folder.path + "/a b%d$HOME\"\\"
      let outcome = try await program.run(
        ["unit", "--codex", "/bin/sh", "--project", project, "--host", "desk.example", "--state-folder", folder.path],
        environment: ["PATH": "/usr/bin:/bin"])
      #expect(outcome.status.isSuccess, "\(outcome.error)")
      let command = try #require(outcome.output.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
      #expect(command.contains("/companion serve --state-folder \(folder.path) --address 127.0.0.1 --port 8787"))
      #expect(command.hasSuffix(#" --project "\#(folder.path)/a b%%d$$HOME\"\\""#))
      #expect(
        outcome.output.contains("\nType=notify\n") && outcome.output.contains("\nExecReload=/bin/kill -HUP $MAINPID\n"))
      #expect(
        outcome.output.contains("\nKillMode=process\n") && outcome.output.contains("\nEnvironment=PATH=/usr/bin:/bin\n")
      )
      try Data(outcome.output.utf8).write(to: URL(filePath: folder.path + "/companion.service"))
      guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else {
        #expect(ProcessInfo.processInfo.environment["CI"] == nil, "'Tools/setup --tests' installs systemd")
        return
      }
      let verdict = try await Subprocess.run(
        .path("/usr/bin/systemd-analyze"), arguments: ["verify", "--user", folder.path + "/companion.service"],
        environment: .inherit.updating(["XDG_RUNTIME_DIR": folder.path]), output: .string(limit: 1 << 16),
        error: .string(limit: 1 << 16))
      #expect(verdict.terminationStatus.isSuccess && verdict.standardError.isEmpty, "\(verdict.standardError)")
    }
  }

  @Test func reportsAndKeepsADamagedFile() async throws {
    try await withFolder { folder in
      #expect(
        FileManager.default.createFile(
          atPath: folder.devices, contents: Data("{".utf8), attributes: [.posixPermissions: 0o600]))
      let outcome = try await run(["devices"], in: folder)
      #expect(!outcome.status.isSuccess && outcome.error.contains("devices.json' cannot be understood"))
      #expect(FileManager.default.contents(atPath: folder.devices) == Data("{".utf8))
    }
  }

  @Test func aBrowserIsShownAnAddress() async throws {
    try await serving { served in
      let lines = try await run(["pair", "--browser"], in: served.folder).output.split(separator: "\n")
      #expect(lines[0].wholeMatch(of: /https:\/\/desk\.example:8787\/#[0-9a-f-]{36}\.[0-9a-f]{32}/) != nil)
    }
  }

  @Test(
    arguments: [
      ["confirm", "x"], ["confirm", "--allow"], ["audit", "--lines", "0"], ["devices", "revoke"],
      ["pair", "--browser", "--public-client"],
    ])
  func usageIsChecked(arguments: [String]) async throws {
    let outcome = try await program.run(arguments)
    #expect(outcome.status == .exited(64))
  }
}
