import ArgumentParser
import Foundation
import LatencyReport

/// Runs one client by a plan and writes what it saw; started by `run` in the client's namespace.
struct ClientCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "client", abstract: "Follows a plan's event streams and writes a record.", shouldDisplay: false)

  @Option(help: "h3, h3-stock, h3-rtt-100, h3-resumed, h3-0rtt, h3-repeat, h3-hedge, h2, h1 or auto.")
  var arm: ClientArm?

  @Option(help: "Your own client in place of --arm: a shell command with {url}, and {authority} as it needs it.")
  var command: String?

  @Option(help: "The plan, as JSON.")
  var plan: String

  @Option(help: "File for the record, as JSON.")
  var out: String

  @Flag(help: "Write a line for each event to standard output as it comes.")
  var arrivals = false

  func validate() throws {
    guard (arm == nil) != (command == nil) else { throw ValidationError("Give --arm or --command.") }
  }

  private func makeClient(_ plan: ClientPlan) throws -> any StreamClient {
    if let command { return CommandClient(try ClientCommandText(command), plan) }
    return try (arm ?? .h3).makeClient(plan)
  }

  func run() async throws {
    let plan = try ClientPlan.read(plan)
    let client = try makeClient(plan)
    let record = await ClientRun(plan: plan, client: client, onArrival: arrivals ? Self.report : nil).run()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      try encoder.encode(record).write(to: URL(fileURLWithPath: out))
    } catch {
      throw ValidationError("'\(out)' cannot be written: \(error.localizedDescription)")
    }
  }

  /// Writes the line at once. Where nobody reads it any more, the record remains.
  private static func report(_ arrival: EventArrival) {
    try? FileHandle.standardOutput.write(contentsOf: Data((arrival.line + "\n").utf8))
  }
}
