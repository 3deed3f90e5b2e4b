import Foundation
import ResolveKitNetworking
import ResolveKitTerminal
import ResolveKitUI

/// The conversations that are kept, one a line.
enum SessionList {
  static func text(of folder: ResolveKitJournalFolder) throws -> String {
    try folder.sessions().map(line).joined()
  }

  private static func line(_ session: ResolveKitStoredSession) -> String {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: false, timeZone: .current)
    // Sessions of the embedded backend have a name in place of an address.
    var notes = session.server.contains("://") ? [TerminalText.line(session.server)] : []
    if session.isInUse { notes.append("in use") }
    if session.isTurnInProgress { notes.append("in mid answer") }
    if !session.pendingApprovals.isEmpty { notes.append("waits for approval") }
    if !session.interruptedFunctions.isEmpty { notes.append("a tool was interrupted") }
    let state = notes.isEmpty ? "" : " [\(notes.joined(separator: ", "))]"
    let title = session.title.isEmpty ? "(no message)" : TerminalText.line(session.title)
    return "\(TerminalText.line(session.id))  \(session.updatedAt.formatted(style))  \(title)\(state)\n"
  }
}
