import ArgumentParser
import ReferenceBackend

/// Faults that the backend makes on purpose.
struct FaultOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Answer the next calls of a route with a status: 'GET events=410', 'POST messages=429*3'. May be repeated.",
      valueName: "route=status[*times]"))
  var refuse: [String] = []

  @Option(help: "Seconds of Retry-After in these answers.")
  var retryAfter: Int?

  @Option(help: "Probability that an event is in no stream.")
  var dropEvents = 0.0

  @Option(help: "Probability that an event comes twice.")
  var duplicateEvents = 0.0

  @Option(help: "Probability that an event comes after its successor.")
  var reorderEvents = 0.0

  @Option(help: "The events that these faults affect.")
  var faultSeed: UInt64 = 1

  @Option(help: "The number of turns that end without an event.")
  var silentTurns = 0

  func validate() throws {
    guard [dropEvents, duplicateEvents, reorderEvents].allSatisfy({ (0...1).contains($0) }) else {
      throw ValidationError("Probabilities are from 0 to 1.")
    }
    guard silentTurns >= 0, (retryAfter ?? 0) >= 0 else {
      throw ValidationError("--silent-turns and --retry-after are 0 or more.")
    }
    _ = try make()
  }

  func make() throws -> BackendFaults {
    let faults = BackendFaults(
      stream: StreamFaults(
        drop: dropEvents, duplicate: duplicateEvents, reorder: reorderEvents, seed: faultSeed))
    faults.endSilently(turns: silentTurns)
    for text in refuse {
      let parts = text.split(separator: "=", omittingEmptySubsequences: false)
      let numbers = parts.last?.split(separator: "*", omittingEmptySubsequences: false) ?? []
      guard parts.count == 2, !parts[0].isEmpty, (1...2).contains(numbers.count), let status = Int(numbers[0]),
        (400...599).contains(status), let times = numbers.count == 2 ? Int(numbers[1]) : 1, (1...1_000).contains(times)
      else {
        throw ValidationError("--refuse is such as 'GET events=410' or 'POST messages=429*3'; '\(text)' is not.")
      }
      faults.refuse(String(parts[0]), with: .init(status: status, retryAfter: retryAfter), times: times)
    }
    return faults
  }
}
