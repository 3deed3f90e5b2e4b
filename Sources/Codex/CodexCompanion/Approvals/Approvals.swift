import ResolveKitCore
package import StreamTransport
import Synchronization

/// Decides on what Codex wants to do: applies the rules, takes persons' decisions, keeps the permanent ones, and logs
/// every yes and no.
package final class Approvals: Sendable {
  private let file: StoreFile
  private let audit: AuditLog
  private let now: @Sendable () -> Int
  private let policy: Mutex<ApprovalPolicy>

  /// Takes the file at `path` for this process; it is made with the first decision that is kept. Throws ``StoreError``.
  package init(
    path: String, audit: AuditLog, disk: Disk = .system, now: @escaping @Sendable () -> Int = TimeOfDay.now
  ) throws(StoreError) {
    file = try StoreFile(claiming: path, format: "codex-companion-approvals", disk: disk)
    var stored = ApprovalPolicy()
    if let members = try file.read() {
      do {
        stored = try ApprovalPolicy(members)
      } catch {
        throw file.damaged(error.message, cause: error)
      }
    }
    policy = Mutex(stored)
    self.audit = audit
    self.now = now
  }

  /// The decisions that are kept, the oldest first.
  package var allowances: [Allowance] { policy.withLock { $0.allowances } }

  /// The rules' answer. One without a person is in the audit log on return; where the log does not take a yes, a person is
  /// asked.
  package func ruling(
    on subject: ApprovalSubject, chat: String, isProjectClosed: Bool = false
  ) -> ApprovalRuling {
    let ruling = policy.withLock { $0.ruling(on: subject, chat: chat, isProjectClosed: isProjectClosed) }
    switch ruling {
    case .ask: return ruling
    case .deny(let ground):
      try? log(.declinedAutomatically, subject, chat: chat, why: Self.reason(ground))
      return ruling
    case .allow(let ground):
      do {
        try log(.approvedAutomatically, subject, chat: chat, why: Self.reason(ground))
        return ruling
      } catch {
        return .ask(session: false, always: false)
      }
    }
  }

  /// Takes a person's decision; answers whether it is a yes. A yes is in the audit log on return, and on disk where it is for
  /// good. Throws ``ApprovalError``; then nothing is decided.
  package func decide(
    _ decision: ApprovalAnswer, on subject: ApprovalSubject, chat: String, by device: Device?
  ) throws(ApprovalError) -> Bool {
    try policy.withLock { policy throws(ApprovalError) in
      var changed = policy
      let isYes = try changed.take(decision, on: subject, chat: chat, by: device, now: now())
      do throws(StoreError) {
        try log(isYes ? .approved : .declined, subject, chat: chat, by: device, why: decision.rawValue)
      } catch {
        guard !isYes else { throw .audit(error) }
      }
      try save(changed, instead: policy)
      policy = changed
      return isYes
    }
  }

  /// Takes back a decision, so that a person is asked again. False where there is none of that id.
  @discardableResult
  package func revoke(_ id: String) throws(ApprovalError) -> Bool {
    try change(.decisionRevoked, why: "by the person at the workstation") { [$0.revoke(id)].compactMap { $0 } }
  }

  /// Turns a decision into a no, so that it is never allowed. False where there is none of that id.
  @discardableResult
  package func deny(_ id: String) throws(ApprovalError) -> Bool {
    try change(.decisionDenied, why: "by the person at the workstation") { [$0.deny(id)].compactMap { $0 } }
  }

  /// Revokes what a device that was revoked allowed permanently.
  package func forget(device: Device.ID) throws(ApprovalError) {
    try change(.decisionRevoked, why: "its device was revoked") { $0.forget(device: device) }
  }

  /// Forgets what was allowed for a chat that is over.
  package func forget(chat: String) { policy.withLock { $0.forget(chat: chat) } }

  @discardableResult
  private func change(
    _ event: AuditEntry.Event, why: String, _ body: (inout ApprovalPolicy) -> [Allowance]
  ) throws(ApprovalError) -> Bool {
    try policy.withLock { policy throws(ApprovalError) in
      let old = policy
      // Less is allowed than before, so it holds even where the disk does not take it.
      let changed = body(&policy)
      for allowance in changed {
        try? audit.append(
          AuditEntry(
            time: now(), event: event, kind: allowance.kind.rawValue, what: .string(allowance.summary), why: why))
      }
      try save(policy, instead: old)
      return !changed.isEmpty
    }
  }

  private func save(_ new: ApprovalPolicy, instead old: ApprovalPolicy) throws(ApprovalError) {
    guard new.allowances != old.allowances else { return }
    do {
      try file.write(new.members)
    } catch {
      throw .storage(error)
    }
  }

  private func log(
    _ event: AuditEntry.Event, _ subject: ApprovalSubject, chat: String, by device: Device? = nil, why: String
  ) throws(StoreError) {
    try audit.append(
      AuditEntry(
        time: now(), event: event, device: device, chatID: chat, kind: subject.kind, what: subject.exact, why: why))
  }

  private static func reason(_ ground: ApprovalRuling.Ground) -> String {
    switch ground {
    case .session: "allowed for the chat"
    case .kept(let allowance):
      "\(allowance.verdict == .allow ? "allowed" : "denied") permanently, decision \(allowance.id)"
    case .closedProject: "the project is closed to devices"
    }
  }
}
