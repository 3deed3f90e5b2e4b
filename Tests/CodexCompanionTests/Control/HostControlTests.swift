import CodexRemoteContract
import ResolveKitCore
import StreamTransport
import Testing

@testable import CodexCompanion

@Suite(.timeLimit(.minutes(10))) struct HostControlTests {
  private let folder: TemporaryFolder
  private let devices: DeviceRegistry
  private let approvals: Approvals
  private let audit: AuditLog
  private let pairings: Pairings
  private let catalog: ProjectCatalog
  private let asked: AsyncStream<PairingQuestion>

  init() throws {
    folder = try TemporaryFolder()
    let place = CompanionFolder(path: folder.path)
    try place.make()
    devices = try DeviceRegistry(path: place.devices)
    audit = AuditLog(path: place.auditLog)
    approvals = try Approvals(path: place.approvals, audit: audit)
    catalog = try ProjectCatalog(file: place.projects)
    let (asked, ask) = AsyncStream.makeStream(of: PairingQuestion.self)
    self.asked = asked
    pairings = Pairings(devices: devices, audit: audit, ask: { ask.yield($0) })
  }

  private func control(serves: Bool = true) -> HostControl {
    let place = ServerPlace(host: "desk.example", fingerprint: [UInt8](repeating: 7, count: 32))
    place.port = 8_787
    let serving = HostControl.Serving(
      pairings, projects: NoProjects(),
      status: { ControlStatus(addresses: ["https://desk.example"], codex: "c", processID: 1, startedAt: 2) },
      text: { place.text($0, for: $1) })
    return HostControl(
      devices: devices, approvals: approvals, audit: audit, catalog: catalog, serving: serves ? serving : nil)
  }

  private func refusal(_ command: ControlCommand, serves: Bool = true) async -> ControlRefusal.Code? {
    guard case .refused(let refusal) = await control(serves: serves).answer(command) else { return nil }
    return refusal.code
  }

  @Test(arguments: [PairingClient.own, .publicProtocol])
  func aPairingFromTheCodeToTheDevice(client: PairingClient) async throws {
    let control = control()
    guard case .pairing(let pairing) = await control.answer(.pair(client)) else {
      Issue.record("no pairing")
      return
    }
    let uri = try PairingURI(parsing: pairing.uri)
    #expect((uri.fingerprint == nil) == (client == .publicProtocol))
    #expect(try QRCode(pairing.uri) == pairing.code)
    async let grant = pairings.confirm(
      PairingConfirmation(pairingID: uri.pairingID, nonce: uri.nonce, deviceName: "phone"), from: "192.0.2.7",
      kind: .permanent)
    var iterator = asked.makeAsyncIterator()
    let question = try #require(await iterator.next())
    guard case .pairings(let questions) = await control.answer(.pairings) else {
      Issue.record("no questions")
      return
    }
    #expect(questions.map(\.pairingID) == [question.pairingID])
    #expect(await control.answer(.confirm(pairingID: question.pairingID, allow: true)) == .done)
    let device = try await grant.device
    #expect(await control.answer(.devices) == .devices([device]))
    #expect(await control.answer(.revokeDevice(deviceID: device.id)) == .done)
    #expect(await control.answer(.devices) == .devices([]))
    guard case .audit(let entries) = await control.answer(.audit(limit: 10)) else {
      Issue.record("no audit log")
      return
    }
    #expect(entries.map(\.event) == [.deviceRevoked, .devicePaired])
  }

  @Test func aMissingResourceIsReported() async {
    #expect(await refusal(.revokeDevice(deviceID: "d")) == .notFound)
    #expect(await refusal(.revokeApproval(approvalID: "a")) == .notFound)
    #expect(await refusal(.denyApproval(approvalID: "a")) == .notFound)
    #expect(await refusal(.confirm(pairingID: "p", allow: true)) == .notFound)
  }

  @Test func withoutAServerNobodyIsPaired() async {
    let commands: [ControlCommand] = [.pair(.own), .pairings, .confirm(pairingID: "p", allow: true), .status]
    for command in commands {
      #expect(await refusal(command, serves: false) == .notServing)
    }
    #expect(await control(serves: false).answer(.devices) == .devices([]))
    #expect(await control(serves: false).answer(.approvals) == .approvals([]))
  }

  @Test(arguments: [true, false]) func projectsAreHiddenAndShown(serves: Bool) async throws {
    let control = control(serves: serves)
    await catalog.note(folder: "/a", updatedAt: 7)
    #expect(await control.answer(.hideProject(folder: "/a")) == .done)
    #expect(await control.answer(.hideProject(folder: "/b")) == .done)
    #expect(
      await control.answer(.projects)
        == .projects([
          ControlProject(folder: "/a", updatedAt: 7_000, isHidden: true),
          ControlProject(folder: "/b", updatedAt: nil, isHidden: true),
        ]))
    #expect(await control.answer(.showProject(folder: "/b")) == .done)
    for folder in ["/b", "/a/inner", "relative", "", "/x\0y"] {
      guard case .refused = await control.answer(.showProject(folder: folder)) else {
        Issue.record("'\(folder)' was shown")
        continue
      }
    }
    guard case .audit(let entries) = await control.answer(.audit(limit: 10)) else {
      Issue.record("no audit log")
      return
    }
    #expect(entries.map(\.event) == [.projectShown, .projectHidden, .projectHidden])
  }

  @Test func decisionsAreRevokedAndDenied() async throws {
    let tool = ApprovalSubject.mcpTool(server: "tiny", tool: "poke", definition: ["v": 1], arguments: [:])
    #expect(try approvals.decide(.allowAlways, on: tool, chat: "c", by: nil))
    let control = control()
    guard case .approvals(let kept) = await control.answer(.approvals), let id = kept.first?.id else {
      Issue.record("nothing kept")
      return
    }
    #expect(await control.answer(.denyApproval(approvalID: id)) == .done)
    guard case .deny = approvals.ruling(on: tool, chat: "c") else {
      Issue.record("not denied")
      return
    }
    #expect(await control.answer(.revokeApproval(approvalID: id)) == .done)
    #expect(await control.answer(.approvals) == .approvals([]))
  }
}
