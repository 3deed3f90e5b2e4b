import ResolveKitCore
import StreamTransport
import Synchronization
import TestSupport
import Testing

@testable import CodexCompanion

@Suite(.timeLimit(.minutes(10))) struct PairingsTests {
  private let folder: TemporaryFolder
  private let devices: DeviceRegistry
  private let pairings: Pairings
  private let asked: AsyncStream<PairingQuestion>
  private let clock = ManualClock()

  init() throws {
    folder = try TemporaryFolder()
    devices = try DeviceRegistry(path: folder.file("devices.json"))
    let (asked, ask) = AsyncStream.makeStream(of: PairingQuestion.self)
    self.asked = asked
    pairings = Pairings(
      devices: devices, audit: AuditLog(path: folder.file("audit.jsonl")), clock: TransportClock(clock),
      ask: { ask.yield($0) })
  }

  private func confirm(_ ticket: PairingTicket, patience: Duration = Pairings.patience) -> Task<DeviceGrant, any Error>
  {
    Task { [pairings] in
      try await pairings.confirm(
        PairingConfirmation(pairingID: ticket.pairingID, nonce: ticket.nonce, deviceName: "phone"), from: "192.0.2.7",
        kind: .permanent, patience: patience)
    }
  }

  private func nextQuestion() async throws -> PairingQuestion {
    var iterator = asked.makeAsyncIterator()
    return try #require(await iterator.next())
  }

  private func code(of task: Task<DeviceGrant, any Error>) async throws -> PairingError.Code {
    try await #require(throws: PairingError.self) { try await task.value }.code
  }

  @Test func theLogContainsNoSecret() async throws {
    let ticket = try await pairings.openHere()
    let grant = try devices.pair(name: "phone", kind: .renewable)
    let text = "\(ticket) \(grant) \(String(describing: Optional(grant)))"
    for secret in [ticket.nonce, grant.token, try #require(grant.renewal).token] { #expect(!text.contains(secret)) }
  }

  @Test func aYesIssuesTheToken() async throws {
    let ticket = try await pairings.openHere()
    let confirmation = confirm(ticket)
    let question = try await nextQuestion()
    #expect(question.isOpenedHere)
    #expect(await pairings.questions.map(\.pairingID) == [ticket.pairingID])
    #expect(devices.devices.isEmpty)
    try await pairings.decide(question.pairingID, allow: true)
    let grant = try await confirmation.value
    #expect(try devices.authenticate("Bearer \(grant.token)").name == "phone")
    #expect(await pairings.questions.isEmpty)
    await #expect(throws: PairingError.self) { try await pairings.decide(question.pairingID, allow: true) }
  }

  @Test func aNoIssuesNothing() async throws {
    let confirmation = confirm(try await pairings.open(from: "192.0.2.7"))
    let question = try await nextQuestion()
    #expect(!question.isOpenedHere)
    try await pairings.decide(question.pairingID, allow: false)
    #expect(try await code(of: confirmation) == .denied)
    #expect(devices.devices.isEmpty)
    let entries = try AuditLog(path: folder.file("audit.jsonl")).last(10)
    #expect(entries.map(\.event) == [.deviceDenied])
    #expect(entries.first?.what == ["name": "phone", "address": "192.0.2.7"])
  }

  @Test func silenceIsANo() async throws {
    let confirmation = confirm(try await pairings.openHere())
    let question = try await nextQuestion()
    await clock.waitForSleep(of: Pairings.patience)
    clock.advance(by: Pairings.patience)
    #expect(try await code(of: confirmation) == .denied)
    await #expect(throws: PairingError.self) { try await pairings.decide(question.pairingID, allow: true) }
    #expect(devices.devices.isEmpty)
  }

  @Test func aYesAfterTheClientLeftIssuesNothing() async throws {
    let confirmation = confirm(try await pairings.openHere())
    let question = try await nextQuestion()
    confirmation.cancel()
    #expect(try await code(of: confirmation) == .givenUp)
    let error = try await #require(throws: PairingError.self) {
      try await pairings.decide(question.pairingID, allow: true)
    }
    #expect(error.code == .noQuestion)
    #expect(devices.devices.isEmpty)
  }

  @Test func whoLeftMakesRoomForOthers() async throws {
    for address in ["192.0.2.1", "192.0.2.2", "192.0.2.3"] {
      let confirmation = confirm(try await pairings.open(from: address))
      _ = try await nextQuestion()
      confirmation.cancel()
      #expect(try await code(of: confirmation) == .givenUp)
    }
  }

  /// The yes and the client's departure at the same time, in either order: a device is issued only to who is there.
  @Test func aYesInTheMomentOfTheDeparture() async throws {
    for round in 0..<100 {
      let confirmation = confirm(try await pairings.openHere())
      let question = try await nextQuestion()
      async let decision: Void? = try? pairings.decide(question.pairingID, allow: true)
      if round.isMultiple(of: 2) { await Task.yield() }
      confirmation.cancel()
      let isAllowed = await decision != nil
      let grant = try? await confirmation.value
      // The person learns its outcome.
      #expect(isAllowed == (grant != nil))
      #expect(devices.devices.map(\.id) == [grant?.device.id].compactMap { $0 })
      if let grant { try devices.revoke(grant.device.id) }
    }
  }

  @Test func patienceEndsWithThePairing() async throws {
    let confirmation = confirm(try await pairings.openHere(), patience: .seconds(1_000_000))
    _ = try await nextQuestion()
    await clock.waitForSleep(of: PairingLimits().lifetime)
    clock.advance(by: PairingLimits().lifetime)
    #expect(try await code(of: confirmation) == .denied)
  }

  @Test func aFullRegistryIsReportedAsFull() async throws {
    for _ in 0..<PairedDevices.maximumDevices { _ = try devices.pair(name: "", kind: .permanent) }
    let confirmation = confirm(try await pairings.openHere())
    let id = try await nextQuestion().pairingID
    let error = try await #require(throws: PairingError.self) { try await pairings.decide(id, allow: true) }
    #expect(error.code == .device)
    #expect(try await code(of: confirmation) == .device)
  }
}
