import ArgumentParser
import CodexCompanion

struct ConfirmCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "confirm", abstract: "Answers the devices that wait to be paired, or lists them.")

  @OptionGroup var state: StateOptions

  @Argument(help: "The pairing's id; without one all that wait are listed, and asked about on a terminal.")
  var id: String?

  @Flag(help: "The answer for the device with that id.")
  var answer: Answer?

  enum Answer: String, EnumerableFlag {
    case allow
    case deny
  }

  func validate() throws {
    guard (id == nil) == (answer == nil) else {
      throw ValidationError("An answer has both: the pairing's id, and --allow or --deny.")
    }
  }

  func run() async throws {
    let host = Host(state.folder)
    if let id, let answer {
      _ = try await host.ask(.confirm(pairingID: id, allow: answer == .allow))
      return print(answer == .allow ? "The device is paired." : "The device is denied.")
    }
    guard case .pairings(let questions) = try await host.ask(.pairings) else { throw Host.strangeReply }
    guard !questions.isEmpty else { return print("No device waits to be paired.") }
    for question in questions {
      print("\(question.pairingID), until \(RecordTime(question.expiresAt)):")
      if ConsolePrompt.isInteractive {
        try await PairingPrompt(host).ask(question)
      } else {
        print(PairingPrompt.text(question))
      }
    }
  }
}
