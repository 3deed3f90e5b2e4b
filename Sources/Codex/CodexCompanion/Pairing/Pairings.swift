package import JSONService
import ResolveKitCore
package import StreamTransport

/// Pairs devices: keeps each one's request waiting until the person at the workstation has decided, and issues its tokens.
///
/// Nothing of a pairing is on disk. A device that no longer waits is issued nothing: its task has to be cancelled when its
/// connection or stream goes.
package actor Pairings {
  /// The time that a device waits for a person's answer. The public iOS client gives up after 20 s, and would
  /// never see a token that was issued then.
  package static let patience = Duration.seconds(18)

  private struct Waiting {
    let question: ControlPairingQuestion
    let decision: AsyncStream<Bool>.Continuation
    /// Whether the device was paired, or why not.
    let outcome: AsyncStream<Result<DeviceGrant, PairingError>>
  }

  private let devices: DeviceRegistry
  private let audit: AuditLog
  private let limits: PairingLimits
  private let random: RandomBytes
  private let clock: TransportClock
  private let wallTime: @Sendable () -> Int
  private let ask: @Sendable (PairingQuestion) -> Void
  private var desk: PairingDesk
  private var waiting: [String: Waiting] = [:]

  /// - Parameter ask: notifies the person that a device waits; the answer comes by ``decide(_:allow:)``. Must not wait.
  package init(
    devices: DeviceRegistry, audit: AuditLog, limits: PairingLimits = PairingLimits(), random: RandomBytes = .system,
    clock: TransportClock = .continuous, wallTime: @escaping @Sendable () -> Int = TimeOfDay.now,
    ask: @escaping @Sendable (PairingQuestion) -> Void
  ) {
    self.devices = devices
    self.audit = audit
    self.limits = limits
    self.random = random
    self.clock = clock
    self.wallTime = wallTime
    self.ask = ask
    desk = PairingDesk(limits: limits)
  }

  /// Opens a pairing for the person at the workstation, whom no other request can keep from it.
  package func openHere() throws(PairingError) -> PairingTicket { try open(by: .host) }

  /// Opens a pairing for the client at an address.
  package func open(from address: String) throws(PairingError) -> PairingTicket {
    try open(by: .remote(address: address))
  }

  private func open(by origin: PairingDesk.Origin) throws(PairingError) -> PairingTicket {
    let ticket = PairingTicket(
      pairingID: random.uuid(), nonce: random.hexadecimal(bytes: 16),
      expiresAt: TimeOfDay.moment(limits.lifetime, after: wallTime()))
    try desk.open(id: ticket.pairingID, nonce: ticket.nonce, by: origin, now: clock.now())
    return ticket
  }

  /// Asks the person at the workstation, and answers with the device's tokens once they have said yes.
  ///
  /// - Parameter patience: how long the device waits, at most a pairing's lifetime. It is denied then.
  package func confirm(
    _ confirmation: PairingConfirmation, from address: String, kind: DeviceGrant.Kind,
    patience: Duration = Pairings.patience
  ) async throws(PairingError) -> DeviceGrant {
    let now = clock.now()
    let patience = min(patience, limits.lifetime)
    let id = confirmation.pairingID
    let question = try desk.confirm(
      id: id, nonce: confirmation.nonce, deviceName: confirmation.deviceName, address: address, end: now + patience,
      now: now)
    let (decisions, decision) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingOldest(1))
    let (outcomes, outcome) = AsyncStream.makeStream(of: Result<DeviceGrant, PairingError>.self)
    waiting[id] = Waiting(
      question: ControlPairingQuestion(
        pairingID: id, deviceName: question.deviceName, address: question.address, isOpenedHere: question.isOpenedHere,
        expiresAt: TimeOfDay.moment(patience, after: wallTime())),
      decision: decision, outcome: outcomes)
    let end = Task { [clock] in
      try? await clock.sleep(patience)
      decision.finish()
    }
    ask(question)
    // Ends without a decision where the time is over, and where this task is cancelled.
    var isAllowed: Bool?
    for await decision in decisions { isAllowed = decision }
    end.cancel()
    waiting[id] = nil
    desk.withdraw(id: id)
    let result = Result { () throws(PairingError) in try settle(question, isAllowed: isAllowed, kind) }
    outcome.yield(result)
    outcome.finish()
    return try result.get()
  }

  private func settle(
    _ question: PairingQuestion, isAllowed: Bool?, _ kind: DeviceGrant.Kind
  ) throws(PairingError) -> DeviceGrant {
    guard !Task.isCancelled else { throw .givenUp }
    if isAllowed == false {
      try? audit.append(
        AuditEntry(
          time: wallTime(), event: .deviceDenied,
          what: ["name": .string(question.deviceName), "address": .string(question.address)],
          why: "by the person at the workstation"))
    }
    guard isAllowed == true else { throw .denied }
    let grant: DeviceGrant
    do {
      grant = try devices.pair(name: question.deviceName, kind: kind)
    } catch {
      throw PairingError(.device, error.message, cause: error)
    }
    do {
      guard !Task.isCancelled else { throw PairingError.givenUp }
      try audit.append(
        AuditEntry(
          time: wallTime(), event: .devicePaired, device: grant.device, what: ["address": .string(question.address)],
          why: "allowed by the person at the workstation"))
      return grant
    } catch {
      // Where the disk does not take it, the device is forgotten as one that never used its token.
      _ = try? devices.revoke(grant.device.id)
      throw error as? PairingError ?? PairingError(.device, "The device was not paired: \(error)", cause: error)
    }
  }

  /// Takes the person's answer; on return of a yes the device is paired. Throws ``PairingError``, with `noQuestion` where no
  /// device waits for it, and with the reason where a device that was allowed could not be paired.
  package func decide(_ pairingID: String, allow: Bool) async throws(PairingError) {
    _ = try desk.decide(id: pairingID, now: clock.now())
    guard let waiting = waiting[pairingID] else { throw .noQuestion }
    waiting.decision.yield(allow)
    waiting.decision.finish()
    guard allow else { return }
    for await outcome in waiting.outcome { _ = try outcome.get() }
  }

  /// The devices that wait for an answer, the one that gives up first before the others.
  package var questions: [ControlPairingQuestion] {
    waiting.values.map(\.question).sorted { ($0.expiresAt, $0.pairingID) < ($1.expiresAt, $1.pairingID) }
  }
}
