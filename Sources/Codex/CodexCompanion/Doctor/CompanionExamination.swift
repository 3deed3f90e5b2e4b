import Foundation
import ResolveKitCore

/// Whether a companion runs with a state folder, and what it says of itself.
struct CompanionExamination {
  private let socket: String

  init(socket: String) { self.socket = socket }

  func examine() async -> (finding: DoctorFinding, status: ControlStatus?) {
    do {
      switch try await ControlClient(path: socket).ask(.status) {
      case .status(let status):
        let place = status.addresses.joined(separator: ", ")
        let sentence =
          "A companion runs as process \(status.processID) at \(place): \(status.codex); \(status.deviceCount) paired, "
          + "\(status.pairingQuestionCount) to be confirmed, \(status.waitingApprovalCount) approvals waiting."
        return (.good(.companion, sentence.visible), status)
      case .refused(let refusal):
        return (.warning(.companion, refusal.message.visible, remedy: "Restart the companion."), nil)
      case .done, .pairing, .pairings, .devices, .approvals, .audit, .projects:
        return (
          .warning(.companion, "The companion that runs is of another version.", remedy: "Restart the companion."), nil
        )
      }
    } catch  where error.code == .notRunning {
      return (.good(.companion, "No companion is running."), nil)
    } catch {
      return (
        .warning(.companion, "\(error)".visible, remedy: "Restart the companion as the user who asks."), nil
      )
    }
  }
}
