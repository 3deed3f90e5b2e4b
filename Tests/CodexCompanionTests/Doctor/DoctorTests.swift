import CodexAppServer
import Foundation
import Glibc
import Logging
import StreamTransport
import Testing

@testable import CodexCompanion

@Suite(.timeLimit(.minutes(5))) struct DoctorTests {
  private let folder: TemporaryFolder
  private let place: CompanionFolder

  init() throws {
    folder = try TemporaryFolder()
    place = CompanionFolder(path: folder.file("state"))
  }

  private func verdicts(_ findings: [DoctorFinding]) -> [DoctorFinding.Verdict] { findings.map(\.verdict) }

  // MARK: the state folder

  @Test func aStateFolderThatIsNotThereYetIsGood() {
    #expect(verdicts(StateExamination(place).findings) == [.good])
  }

  @Test func theStateFoldersRightsAreJudged() throws {
    try place.make()
    #expect(verdicts(StateExamination(place).findings) == [.good])
    try folder.write("{}", to: "state/devices.json", mode: 0o640)
    try FileManager.default.createDirectory(
      atPath: place.codex, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    let found = StateExamination(place).findings
    #expect(verdicts(found) == [.problem, .problem])
    #expect(found.map { $0.remedy?.hasSuffix("chmod 600 '\(place.devices)'") }.first == true)
    try FileManager.default.removeItem(atPath: place.devices)
    try FileManager.default.removeItem(atPath: place.codex)
    chmod(place.path, 0o755)
    #expect(verdicts(StateExamination(place).findings) == [.warning])
  }

  @Test func whatCanBeNoStateFolderIsReported() throws {
    try folder.write("", to: "state")
    #expect(verdicts(StateExamination(place).findings) == [.problem])
    let long = CompanionFolder(path: "/tmp/" + String(repeating: "x", count: 100))
    #expect(verdicts(StateExamination(long).findings) == [.problem])
    #expect(verdicts(StateExamination(CompanionFolder(path: folder.file("state/below"))).findings) == [.problem])
  }

  // MARK: the port

  private func port(
    _ address: String, _ number: Int, _ addresses: [String]? = nil
  ) async -> DoctorFinding.Verdict {
    let running = addresses.map { ControlStatus(addresses: $0, codex: "codex is running", processID: 1, startedAt: 0) }
    return await PortExamination(address: address, port: number, running: running).finding().verdict
  }

  @Test(arguments: [BoundSocket.Kind.tcp, .udp])
  func aPortThatIsTakenIsReported(kind: BoundSocket.Kind) async throws {
    let taken = try BoundSocket(kind)
    if kind == .tcp { try taken.listen(queue: 1) }
    let number = Int(taken.port)
    #expect(await port("127.0.0.1", number) == .problem)
    #expect(await port("127.0.0.1", number, ["https://127.0.0.1:\(number)"]) == .good)
    #expect(await port("127.0.0.1", number, ["https://127.0.0.1:1"]) == .problem)
    #expect(await port("127.0.0.1", 0) == .good)
    withExtendedLifetime(taken) {}
  }

  @Test func anAddressOfAnotherMachineIsReported() async {
    #expect(await port("192.0.2.1", 0) == .problem)
    #expect(await port("desk.example", 0) == .problem)
    #expect(await port("::1", 0, ["https://[::1]:0"]) == .good)
  }

  // MARK: the sandbox

  @Test(
    arguments: [
      (nil, DoctorFinding.Verdict.problem), ("exit 0", .good), ("exit 1", .problem), ("kill -9 $$", .problem),
    ] as [(String?, DoctorFinding.Verdict)])
  func aBubblewrapHasToWork(script: String?, verdict: DoctorFinding.Verdict) async throws {
    try folder.write("#!/bin/sh\n", to: "codex", mode: 0o755)
    if let script { try folder.write("#!/bin/sh\n\(script)\n", to: "bwrap", mode: 0o755) }
    let environment = ["PATH": folder.path]
    let finding = await SandboxExamination(
      try CodexProgram("codex", environment: environment), environment: environment
    )
    .finding
    #expect(finding.verdict == verdict, "\(finding.sentence)")
  }

  // MARK: the whole

  @Test func reportsThatCodexAndGitAreMissing() async {
    let server = ExaminedServer(
      folder: place, environment: ["PATH": "/nowhere"], codex: "codex", address: "127.0.0.1", port: 0,
      hosts: ["127.0.0.1"], certificate: nil)
    let findings = await Doctor(server).examine()
    let problems = findings.filter { $0.verdict == .problem }
    #expect(problems.map(\.subject) == [.codex, .git])
    #expect(problems.allSatisfy { $0.remedy?.isEmpty == false })
    #expect(Set(findings.map(\.subject)) == [.codex, .git, .certificate, .state, .port, .companion])
    #expect(access(place.path, F_OK) != 0, "a look changes nothing")
  }

  @Test func aRunningCompanionIsAsked() async throws {
    try place.make()
    let audit = AuditLog(path: place.auditLog)
    let devices = try DeviceRegistry(path: place.devices)
    let status = ControlStatus(
      addresses: ["https://127.0.0.1:8787"], codex: "codex is running", processID: 7, startedAt: 0)
    let serving = HostControl.Serving(
      Pairings(devices: devices, audit: audit, ask: { _ in }), projects: NoProjects(), status: { status },
      text: { ticket, _ in ticket.pairingID })
    let server = ControlServer(
      path: place.controlSocket, logger: Logger(label: "test"),
      responder: HostControl(
        devices: devices, approvals: try Approvals(path: place.approvals, audit: audit), audit: audit,
        catalog: try ProjectCatalog(file: place.projects), serving: serving))
    try await server.start()
    let running = await CompanionExamination(socket: place.controlSocket).examine()
    await server.shutdown()
    #expect(running.finding.verdict == .good && running.status == status)
    #expect(running.finding.sentence.contains("process 7 at https://127.0.0.1:8787: codex is running"))
    let gone = await CompanionExamination(socket: place.controlSocket).examine()
    #expect(gone.finding.verdict == .good && gone.status == nil)
  }
}
