import ArgumentParser
import Foundation

/// An app in a terminal whose state an agent changes with tools.
@main
struct Sample: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample",
    abstract: "An app with visible state that an agent changes by calling its tools.",
    discussion: """
      First host and API key, from the command line, the environment or the keyboard; then what the app can do, with \
      prompts to try; then a conversation. '--url embedded' runs a backend with a demonstrator inside this program.
      Exit codes: 0 done, 2 usage, 3 cannot connect, 4 not authorised or blocked.
      """)

  @Option(help: "The backend's address, or 'embedded' (or RESOLVEKIT_BASE_URL).")
  var url: String?

  @Option(help: "A file that holds the API key (or RESOLVEKIT_API_KEY).")
  var apiKeyFile: String?

  @Option(help: "PEM certificates to trust in place of the system's.")
  var caFile: String?

  @MainActor
  func run() async throws {
    do {
      let terminal = Terminal()
      var settings = try ConnectionSettings(
        url: url, apiKeyFile: apiKeyFile, caFile: caFile, environment: ProcessInfo.processInfo.environment)
      guard try await ConfigurationScreen(terminal: terminal).complete(&settings) else { return }
      let connection = try await settings.open()
      let screen = ChatScreen(connection: connection, showcase: .shared, terminal: terminal)
      let failure = await screen.run()
      await connection.close()
      if let failure { throw failure }
    } catch let failure as SampleFailure {
      Terminal.error("sample: \(failure.message)")
      throw failure.code
    }
  }

  /// ArgumentParser leaves with 64 (sysexits.h) where the command line is wrong; here that is 2.
  static func main() async {
    do {
      let command = try parse()
      try await command.run()
    } catch {
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      Terminal.error(fullMessage(for: error))
      Foundation.exit(2)
    }
  }
}
