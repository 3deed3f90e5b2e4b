package import CodexRemoteContract

/// Does what a person at the workstation says about pairings, devices, decisions and the audit log.
package struct HostControl: ControlResponder {
  /// What only a companion that serves can do.
  package struct Pairing: Sendable {
    let pairings: Pairings
    let uri: @Sendable (PairingTicket, _ publicClient: Bool) -> PairingURI

    /// - Parameter uri: the text for a new device; without a fingerprint where it is for a public client.
    package init(
      _ pairings: Pairings, uri: @escaping @Sendable (PairingTicket, _ publicClient: Bool) -> PairingURI
    ) {
      self.pairings = pairings
      self.uri = uri
    }
  }

  private let dismissal: DeviceDismissal
  private let devices: DeviceRegistry
  private let approvals: Approvals
  private let audit: AuditLog
  private let pairing: Pairing?

  /// - Parameter pairing: nil where nothing is served.
  package init(devices: DeviceRegistry, approvals: Approvals, audit: AuditLog, pairing: Pairing?) {
    self.devices = devices
    self.approvals = approvals
    self.audit = audit
    self.pairing = pairing
    dismissal = DeviceDismissal(devices: devices, approvals: approvals, audit: audit)
  }

  package func answer(_ command: ControlCommand) async -> ControlReply {
    do {
      return switch command {
      case .pair(let publicClient): try await open(publicClient: publicClient)
      case .pairings: .pairings(try await pairings().questions)
      case .confirm(let id, let allow): try await decide(id, allow: allow)
      case .devices: .devices(devices.devices)
      case .revokeDevice(let id): found(try dismissal.dismiss(id, by: nil), "device", id)
      case .approvals: .approvals(approvals.allowances)
      case .revokeApproval(let id): found(try approvals.revoke(id), "decision", id)
      case .denyApproval(let id): found(try approvals.deny(id), "decision", id)
      case .audit(let limit): .audit(try audit.last(limit))
      }
    } catch let refusal as NotServing {
      return .refused(ControlRefusal(.notServing, refusal.description))
    } catch let error as PairingError where error.code == .noQuestion {
      return .refused(ControlRefusal(.notFound, error.message))
    } catch {
      return .refused(ControlRefusal(.failed, "\(error)"))
    }
  }

  private struct NotServing: Error, CustomStringConvertible {
    let description = "No companion is serving here; start one with 'companion serve'."
  }

  private func pairings() throws -> Pairings {
    guard let pairing else { throw NotServing() }
    return pairing.pairings
  }

  private func open(publicClient: Bool) async throws -> ControlReply {
    guard let pairing else { throw NotServing() }
    let ticket = try await pairing.pairings.openHere()
    let text = pairing.uri(ticket, publicClient).text
    return .pairing(
      ControlPairing(
        pairingID: ticket.pairingID, uri: text, expiresAt: ticket.expiresAt, code: try QRCode(text)))
  }

  private func decide(_ id: String, allow: Bool) async throws -> ControlReply {
    try await pairings().decide(id, allow: allow)
    return .done
  }

  private func found(_ isFound: Bool, _ what: String, _ id: String) -> ControlReply {
    guard isFound else {
      return .refused(
        ControlRefusal(.notFound, "There is no \(what) '\(ShownText.line(id, limit: 80))'; list them first."))
    }
    return .done
  }
}
