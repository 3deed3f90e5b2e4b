public import ArgumentParser
public import ReferenceBackend

/// The choices that the contract leaves to a server.
struct ContractOptions: ParsableArguments {
  @Flag(help: "Send each answer whole, as one turn_complete without deltas, as the public server does.")
  var noDeltas = false

  @Flag(help: "Ask for a rating after each answer.")
  var askFeedback = false

  @Option(help: "How event ids are written: number (7) or milliseconds (1795226429660-7).")
  var eventIds = EventIDStyle.number

  @Option(help: "strict: a cursor whose events are gone is 410. compatible: as the public server, silence.")
  var compatibility = ContractCompatibility.strict

  func apply(to settings: inout BackendSettings) {
    settings.streamsText = !noDeltas
    settings.asksForFeedback = askFeedback
    settings.eventIDs = eventIds
    settings.compatibility = compatibility
  }
}

extension EventIDStyle: ExpressibleByArgument {}
extension ContractCompatibility: ExpressibleByArgument {}
