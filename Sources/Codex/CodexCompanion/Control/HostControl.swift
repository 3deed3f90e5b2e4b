import ResolveKitCore

/// Does what a person at the workstation says about pairings, devices, decisions, projects and the audit log.
package struct HostControl: ControlResponder {
  /// The abilities of a companion that serves.
  package struct Serving: Sendable {
    let pairings: Pairings
    let text: @Sendable (PairingTicket, PairingClient) -> String
    let status: @Sendable () async -> ControlStatus
    let projects: any ServedProjects

    /// - Parameter text: the text that a new device is shown.
    package init(
      _ pairings: Pairings, projects: any ServedProjects, status: @escaping @Sendable () async -> ControlStatus,
      text: @escaping @Sendable (PairingTicket, PairingClient) -> String
    ) {
      self.pairings = pairings
      self.projects = projects
      self.status = status
      self.text = text
    }
  }

  private let revocation: DeviceRevocation
  private let devices: DeviceRegistry
  private let approvals: Approvals
  private let audit: AuditLog
  private let catalog: ProjectCatalog
  private let serving: Serving?

  /// - Parameter serving: nil where nothing is served.
  package init(
    devices: DeviceRegistry, approvals: Approvals, audit: AuditLog, catalog: ProjectCatalog, serving: Serving?
  ) {
    self.devices = devices
    self.approvals = approvals
    self.audit = audit
    self.catalog = catalog
    self.serving = serving
    revocation = DeviceRevocation(devices: devices, approvals: approvals, audit: audit)
  }

  package func answer(_ command: ControlCommand) async -> ControlReply {
    do {
      return switch command {
      case .pair(let client): try await open(for: client)
      case .pairings: .pairings(try await pairings().questions)
      case .confirm(let id, let allow): try await decide(id, allow: allow)
      case .devices: .devices(devices.devices)
      case .revokeDevice(let id): found(try revocation.revoke(id, by: nil), "device", id)
      case .approvals: .approvals(approvals.allowances)
      case .revokeApproval(let id): found(try approvals.revoke(id), "decision", id)
      case .denyApproval(let id): found(try approvals.deny(id), "decision", id)
      case .audit(let limit): .audit(try audit.last(limit))
      case .status: .status(try await served().status())
      case .projects: .projects(await projects())
      case .hideProject(let folder): try await set(folder, isHidden: true)
      case .showProject(let folder): try await set(folder, isHidden: false)
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

  private func served() throws -> Serving {
    guard let serving else { throw NotServing() }
    return serving
  }

  private func pairings() throws -> Pairings { try served().pairings }

  private func projects() async -> [ControlProject] {
    await serving?.projects.refresh()
    return await catalog.all
  }

  private func set(_ folder: String, isHidden: Bool) async throws -> ControlReply {
    try await catalog.set(folder, isHidden: isHidden)
    try? audit.append(
      AuditEntry(
        time: TimeOfDay.now(), event: isHidden ? .projectHidden : .projectShown, what: .string(folder),
        why: "by the person at the workstation"))
    await serving?.projects.changed()
    return .done
  }

  private func open(for client: PairingClient) async throws -> ControlReply {
    let serving = try served()
    let ticket = try await serving.pairings.openHere()
    let text = serving.text(ticket, client)
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
