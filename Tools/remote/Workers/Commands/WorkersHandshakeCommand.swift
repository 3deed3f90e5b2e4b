import ArgumentParser
import CodexWorkersClient
import Foundation
import ResolveKitCore

struct WorkersHandshakeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handshake", abstract: "Finds out whether a worker's device answers.",
    discussion: "An answer within 30 seconds is a success; one that comes later, while this waits on, counts as well.")

  @OptionGroup var options: WorkersOptions
  @Argument(help: "The worker's id.") var id: String
  @Option(help: ArgumentHelp("How long to wait on for a late answer.", valueName: "seconds")) var late = 30

  func validate() throws {
    guard (0...3_600).contains(late) else { throw ValidationError("--late is from 0 to 3600.") }
  }

  func run() async throws {
    let place = try options.place()
    var handshake = WorkerHandshake(id: LetterID.make("hs-"), deviceID: LetterID.make("remote-"))
    let began = ContinuousClock.now
    try await place.run {
      handshake = try await HandshakeCall(place: place, worker: id, late: .seconds(late)).run(handshake)
    }
    guard case .connected(let session, let isLate) = handshake.state else {
      WorkersExit.say("No device answered; is 'companion serve --mirror' running there?")
      throw WorkersExit.noDevice
    }
    let time = began.duration(to: .now)
    let milliseconds = time.components.seconds * 1_000 + time.components.attoseconds / 1_000_000_000_000_000
    try WorkersOutput.line(
      "connected to \(session.visible)\(isLate ? ", late" : "") after \(milliseconds) ms (\(handshake.id))")
  }
}

/// Sends the handshake's event and reads the worker's stream until its answer, or for as long as it may take.
private struct HandshakeCall {
  let place: WorkersPlace
  let worker: String
  let late: Duration

  func run(_ handshake: WorkerHandshake) async throws -> WorkerHandshake {
    let client = place.client
    // One before the end, as clients of the contract do it: the answer comes behind.
    let cursor = max(0, try await client.snapshot(of: worker).latestSequence - 1)
    let clock = ContinuousClock()
    let start = clock.now
    let limit = WorkerHandshake.patience + late
    return try await withThrowingTaskGroup(of: WorkerHandshake?.self) { group in
      group.addTask { [worker] in
        var handshake = handshake
        handshake.willSend(at: .zero)
        try await client.watch(worker, after: cursor) { update in
          guard case .event(let event) = update else { return .taken }
          handshake.tick(at: start.duration(to: clock.now))
          handshake.take(event)
          if case .connected = handshake.state { return .enough }
          return .taken
        }
        return handshake
      }
      group.addTask { [worker] in
        // The key makes a repetition after a lost answer safe.
        _ = try await client.store(
          handshake.draft(at: Date.now.ISO8601Format()), in: worker, key: handshake.id)
        try await clock.sleep(for: WorkerHandshake.patience)
        WorkersExit.say("-- no answer within 30 s; waiting on for a late one")
        try await clock.sleep(until: start + limit)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next().flatMap(\.self) ?? handshake
    }
  }
}
