import ArgumentParser
import CodexCompanion

struct ApprovalsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approvals", abstract: "Lists what was decided permanently, and revokes it.",
    subcommands: [List.self, Revoke.self, Deny.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the decisions.",
      discussion: "'companion approvals revoke ID' has it asked again, 'companion approvals deny ID' never allows it.")

    @OptionGroup var state: StateOptions

    func run() async throws {
      guard case .approvals(let allowances) = try await Host(state.folder).ask(.approvals) else {
        throw Host.strangeReply
      }
      for line in Self.lines(allowances) { print(line) }
    }

    static func lines(_ allowances: [Allowance]) -> [String] {
      guard !allowances.isEmpty else { return ["Nothing was decided permanently."] }
      return TextTable(
        head: ["ID", "DECIDED", "BY", "DECISION", "WHAT"],
        allowances.map { allowance in
          [
            allowance.id, RecordTime(allowance.decidedAt).description, allowance.deviceName ?? "-",
            allowance.verdict.rawValue, allowance.summary,
          ]
        }
      ).lines
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Revokes a decision, so that a person is asked again.")

    @OptionGroup var state: StateOptions
    @Argument(help: "The decision's id, as 'companion approvals' lists it.") var id: String

    func run() async throws {
      _ = try await Host(state.folder).ask(.revokeApproval(approvalID: id))
      print("The decision is revoked.")
    }
  }

  struct Deny: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Changes a decision to a permanent denial, without asking again.")

    @OptionGroup var state: StateOptions
    @Argument(help: "The decision's id, as 'companion approvals' lists it.") var id: String

    func run() async throws {
      _ = try await Host(state.folder).ask(.denyApproval(approvalID: id))
      print("It is denied from now on.")
    }
  }
}
