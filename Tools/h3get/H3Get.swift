import ArgumentParser
import Glibc
import StreamTransport
import ToolSupport

@main
struct H3Get: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "h3get",
    abstract: "Inspects a server over HTTP/3: fetches URLs, follows event streams, reports timings.",
    discussion: """
      Bodies go to standard output, everything else to standard error. Several URLs of one server are fetched one after \
      the other over one connection. Without --http3-only, HTTP/1.1 is used where UDP does not pass.

      Exit codes: 0 done; 1 the server answered with a status of 400 or above (its body is still written), or the \
      transfer broke off; 2 usage; 3 no connection; 4 the server's certificate was not accepted; 5 the event stream \
      broke off, or ended before its last event; 130 interrupted.

      Examples:
        h3get -i --timing https://example.org/
        h3get --0rtt --timing https://example.org/ https://example.org/style.css
        h3get --events --resume 42 https://example.org/events | head -n 3
      """)

  @Argument(
    help: ArgumentHelp(
      "https URLs of one server; scheme, host and port are the first one's.", valueName: "url")
  )
  var urls: [String]

  @OptionGroup(title: "Request")
  var request: RequestOptions

  @OptionGroup(title: "Event streams")
  var events: EventOptions

  @OptionGroup(title: "Output")
  var output: OutputOptions

  @OptionGroup(title: "Connection")
  var connection: ConnectionOptions

  /// Not in `validate()`, which comes before unknown options are refused: the value of one would pass for a URL.
  func target() throws -> Target {
    let target = try Target(urls)
    guard !events.isOn || target.resources.count == 1 else {
      throw ValidationError("--events follows one stream; give one URL.")
    }
    return target
  }

  func run() async throws {
    // A reader that has left is noticed where its bytes are written.
    signal(SIGPIPE, SIG_IGN)
    let target = try target()
    try connection.checkFiles()
    let fetch = Fetch(
      target: target, request: try request.message(), events: events, connection: connection,
      sink: Sink(file: output.file), includesFields: output.include, reportsTiming: output.timing)
    let status = await fetch.run()
    if status != .done { throw ExitCode(status.rawValue) }
  }

  /// Maps the parser's own exit code for wrong usage (64) to 2, as the other programs have it.
  static func main() async {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let code as ExitCode {
      Glibc.exit(code.rawValue)
    } catch {
      let code = exitCode(for: error)
      let message = fullMessage(for: error)
      guard code != .success else {
        print(message)
        Glibc.exit(0)
      }
      StandardError.write(message)
      Glibc.exit(code == .validationFailure ? FetchStatus.usage.rawValue : FetchStatus.failed.rawValue)
    }
  }
}
