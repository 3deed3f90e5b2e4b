import CodexCompanion

/// The companion of a state folder: the one that runs, or where none does, what it keeps on disk.
struct Host {
  /// The companion said no; its sentence.
  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  private let folder: CompanionFolder

  init(_ folder: CompanionFolder) { self.folder = folder }

  /// Sends a command; a refusal is thrown.
  func ask(_ command: ControlCommand) async throws -> ControlReply {
    let reply = try await reply(to: command)
    guard case .refused(let refusal) = reply else { return reply }
    throw Refused(description: refusal.message)
  }

  private func reply(to command: ControlCommand) async throws -> ControlReply {
    do {
      return try await ControlClient(path: folder.controlSocket).ask(command)
    } catch  where error.code == .notRunning {
      return try await onDisk().answer(command)
    }
  }

  /// The files have a lock each, so that a companion that is being started is not overtaken.
  private func onDisk() throws -> HostControl {
    try folder.make()
    let audit = AuditLog(path: folder.auditLog)
    return HostControl(
      devices: try DeviceRegistry(path: folder.devices),
      approvals: try Approvals(path: folder.approvals, audit: audit), audit: audit,
      catalog: try ProjectCatalog(file: folder.projects), serving: nil)
  }

  /// The error for a reply of the wrong kind.
  static let strangeReply = Refused(
    description: "The companion gave a reply to another command; it may be of another version: restart it.")
}
