import ArgumentParser
import CodexRemoteClient
import Foundation
import TerminalIO

/// Controls the Codex of another machine from a terminal.
@main
struct RemoteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remote", abstract: "Controls the Codex of another machine.",
    discussion: """
      'companion pair' on that machine shows a code; 'remote pair' takes it.
      Exit codes: 0 done, 1 refused or failed, 2 usage, 3 no connection, 4 not paired or not allowed, 130 interrupted.
      """,
    subcommands: [
      PairCommand.self, HostsCommand.self, ProjectsCommand.self, ChatsCommand.self, NewCommand.self, OpenCommand.self,
      WorkersCommand.self,
    ])

  /// ArgumentParser leaves with 64 (sysexits.h) where the command line is wrong; here that is 2.
  static func main() async {
    do {
      var command = try parseAsRoot()
      if var asyncCommand = command as? any AsyncParsableCommand {
        try await asyncCommand.run()
      } else {
        try command.run()
      }
    } catch let error as RemoteError {
      TerminalOutput.status("remote: \(TerminalText.line(error.message))\n").write()
      Foundation.exit(ExitCode(error.code).rawValue)
    } catch {
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      TerminalOutput.status(fullMessage(for: error) + "\n").write()
      Foundation.exit(ExitCode.usage.rawValue)
    }
  }
}

extension ExitCode {
  static let usage = ExitCode(2)
  /// 128 + SIGINT, as shells report it.
  static let interrupted = ExitCode(130)

  init(_ code: RemoteError.Code) {
    switch code {
    case .misuse: self = .usage
    case .network, .timedOut, .certificate, .server, .tooManyRequests: self = ExitCode(3)
    case .unauthorized, .forbidden: self = ExitCode(4)
    case .notFound, .conflict, .gone, .refused, .unsupported, .malformed, .storage: self = .failure
    }
  }
}
