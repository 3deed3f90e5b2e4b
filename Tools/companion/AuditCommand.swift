import ArgumentParser
import CodexCompanion
import ResolveKitCore

struct AuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Shows what was allowed and declined, by whom and why, the newest last.")

  @OptionGroup var state: StateOptions
  @Option(name: .shortAndLong, help: "How many entries.") var lines = 20

  func validate() throws {
    guard ControlCommand.auditLimits.contains(lines) else {
      throw ValidationError(
        "--lines is from \(ControlCommand.auditLimits.lowerBound) to \(ControlCommand.auditLimits.upperBound).")
    }
  }

  func run() async throws {
    guard case .audit(let entries) = try await Host(state.folder).ask(.audit(limit: lines)) else {
      throw Host.strangeReply
    }
    for entry in entries.reversed() { print(Self.line(entry)) }
  }

  static func line(_ entry: AuditEntry) -> String {
    let event = entry.event.rawValue.replacing("_", with: " ")
    let device = entry.deviceName.map { " by \($0.visibleJSON)" } ?? ""
    let chat = entry.chatID.map { " in chat \($0.visible)" } ?? ""
    let kind = entry.kind.map { " \($0.visible)" } ?? ""
    return "\(RecordTime(entry.time)) \(event)\(device)\(chat) (\(entry.why.visible)):\(kind) \(entry.what.visibleText)"
  }
}
