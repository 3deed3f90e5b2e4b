import EventLedger
import Foundation
import GRDB
import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import Synchronization
import TestSupport
import Testing

/// An operator deletes what is kept of a person.
@Suite(.timeLimit(.minutes(10)))
struct SessionDeletionTests {
  private static let secret = "a secret that nobody else says"

  private static func model(_ gate: Gate) -> ScriptedModel {
    ScriptedModel([
      { _, output in try await output(.text(secret)) },
      { _, output in try await output(.text("something else")) },
      { _, output in
        try await output(.text("half "))
        await gate.wait()
        try await output(.text("more"))
      },
    ])
  }

  private func rows(_ session: String, _ database: BackendDatabase) async throws -> [String: Int] {
    try await database.writer.read { database in
      let turns = "SELECT id FROM turns WHERE session_id = '\(session)'"
      return try Dictionary(
        uniqueKeysWithValues: [
          ("sessions", "id = '\(session)'"), ("messages", "session_id = '\(session)'"),
          ("turns", "session_id = '\(session)'"), ("feedback", "session_id = '\(session)'"),
          ("calls", "turn_id IN (\(turns))"), ("rounds", "turn_id IN (\(turns))"),
          ("ledger_events", "stream_id = (SELECT id FROM ledger_streams WHERE name = 'session/\(session)')"),
          ("ledger_keys", "stream_id = (SELECT id FROM ledger_streams WHERE name = 'session/\(session)')"),
        ].map { table, condition in
          (table, try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table) WHERE \(condition)") ?? -1)
        }
      ).filter { $0.value != 0 }
    }
  }

  @Test func whatIsKeptOfADeviceGoesWhileItsBackendSpeaksToIt() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("db")
    let gate = Gate()
    let harness = try await Harness(model: Self.model(gate), path: path)
    let mine = try await harness.openSession(device: "mine")
    let other = try await harness.openSession(device: "other")
    try await mine.say(Self.secret, requestID: "1")
    _ = try await mine.eventsOfTurn()
    await harness.core.turns.waitUntilIdle()
    try await other.say("x", requestID: "1")
    let said = try await other.eventsOfTurn()
    await harness.core.turns.waitUntilIdle()
    try await mine.say("more of it", requestID: "2")
    var reader = try await mine.stream(after: "2")
    #expect(try await reader.nextEvent()?.payload["delta"] == "half ")

    let beside = try BackendDatabase(besideBackendAt: path)
    let deletion = SessionDeletion(try beside.storage())
    #expect(try await deletion.delete(.device("mine")) == 1)
    #expect(try await rows(mine.id, harness.database) == [:])
    let answer = try await harness.call(.get, mine.path("messages"), token: mine.token)
    #expect(answer.status == 404)
    // Again, by either name, and of nobody.
    #expect(try await deletion.delete(.device("mine")) == 0)
    #expect(try await deletion.delete(.session(mine.id)) == 0)
    #expect(try await deletion.delete(.session("nobody")) == 0)

    // The turn that ran says nothing more, and others are not concerned.
    gate.open()
    await harness.core.turns.waitUntilIdle()
    #expect(try await rows(mine.id, harness.database) == [:])
    #expect(try await other.eventsOfTurn() == said)
    #expect(try await other.history().contains { $0.content == "something else" })
    try beside.close()
    await harness.core.close()
    for suffix in ["", "-wal"] {
      guard let bytes = FileManager.default.contents(atPath: path + suffix) else { continue }
      #expect(bytes.range(of: Data(Self.secret.utf8)) == nil, "\(suffix)")
    }
  }

  /// As after a crash between any two of its steps.
  @Test func aDeletionThatWasBrokenOffIsCompletedByTheNext() async throws {
    for failing in 1...8 {
      let gate = Gate()
      let database = try BackendDatabase(path: nil)
      let harness = try await Harness(sharing: try database.storage(), model: Self.model(gate))
      let session = try await harness.openSession(device: "d")
      try await session.say("x", requestID: "1")
      _ = try await session.eventsOfTurn()
      await harness.core.turns.waitUntilIdle()
      let steps = Mutex(0)
      let faulty = FaultyDatabase(try database.storage()) { use in
        switch use {
        case .wrote, .ledger:
          let step = steps.withLock { steps in
            steps += 1
            return steps
          }
          if step == failing { throw LedgerError(.unavailable(mayHaveHappened: false), "away") }
        case .reading, .writing, .appending: break
        }
      }
      let error = await #expect(throws: LedgerError.self) {
        _ = try await SessionDeletion(faulty.storage()).delete(.device("d"))
      }
      #expect(error?.message == "away")
      _ = try await SessionDeletion(try database.storage()).delete(.device("d"))
      #expect(try await rows(session.id, database) == [:], "broken off at step \(failing)")
      await harness.core.close()
    }
  }

  @Test func whatIsNoBackendsDatabaseIsRefused() throws {
    let folder = try TemporaryFolder()
    #expect(throws: BackendError.self) { _ = try BackendDatabase(besideBackendAt: folder.path("none")) }
    #expect(!FileManager.default.fileExists(atPath: folder.path("none")))
    try DatabaseQueue(path: folder.path("other")).write { try $0.execute(sql: "CREATE TABLE t (a)") }
    #expect(throws: BackendError.self) { _ = try BackendDatabase(besideBackendAt: folder.path("other")) }
  }
}
