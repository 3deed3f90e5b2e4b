import ArgumentParser
import Foundation
import ResolveKitTerminal
import ResolveKitUI

/// Holds a conversation with an agent from a terminal or a pipe.
@main
struct ChatCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chat",
    abstract: "Talk to an agent over HTTP/3.",
    discussion: """
      Without --url a backend runs inside this program, and chat connects to it as to any other.
      On a terminal: /help lists the commands; Ctrl-C stops the answer, twice quits; Ctrl-D quits.
      In a pipe, standard output has the answer alone.
      Exit codes: 0 done, 1 the turn failed, 2 usage, 3 cannot connect, 4 not authorised or blocked, 130 interrupted.
      """)

  @OptionGroup var options: ChatOptions

  func run() async throws {
    throw await ChatProgram(options: options).run()
  }

  /// ArgumentParser leaves with 64 (sysexits.h) where the command line is wrong; here that is 2.
  static func main() async {
    do {
      var command = try parseAsRoot()
      if var asyncCommand = command as? any AsyncParsableCommand {
        try await asyncCommand.run()
      } else {
        try command.run()
      }
    } catch {
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      TerminalOutput.status(fullMessage(for: error) + "\n").write()
      Foundation.exit(ExitCode.usage.rawValue)
    }
  }
}
