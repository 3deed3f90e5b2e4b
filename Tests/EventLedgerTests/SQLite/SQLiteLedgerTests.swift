import EventLedger
import Foundation
import GRDB
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SQLiteLedgerTests {
  private let draft = LedgerDraft(type: "word", payload: [1])

  private func code(_ body: () async throws -> Void) async -> LedgerError.Code? {
    do {
      try await body()
      return nil
    } catch { return (error as? LedgerError)?.code }
  }

  @Test func aDatabaseThatFailsIsALedgerError() async throws {
    let under = try SQLiteUnderTest.inMemory()
    let lease = try await under.ledger.lease("s", to: "one", for: .seconds(10))
    try under.database.close()
    #expect(await code { _ = try await under.ledger.append([draft], under: lease, key: nil) } == .database)
    #expect(await code { _ = try await under.ledger.extent(of: "s") } == .database)
  }

  @Test func aDatabaseThatIsHeldIsUnavailableAndNothingHappened() async throws {
    let under = try SQLiteUnderTest.inFile()
    let lease = try await under.ledger.lease("s", to: "one", for: .seconds(10))
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    let impatient = try SQLiteEventLedger(DatabasePool(path: under.path, configuration: configuration))
    configuration.allowsUnsafeTransactions = true
    let holder = try DatabaseQueue(path: under.path, configuration: configuration)
    try await holder.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let found = await code { _ = try await impatient.append([draft], under: lease, key: nil) }
    try await holder.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
    #expect(found == .unavailable(mayHaveHappened: false))
    #expect(try await impatient.append([draft], under: lease, key: nil).sequences == 1...1)
  }

  @Test func aDatabaseOfTheFirstVersionIsBroughtForwardAndALaterVersionsIsRefused() async throws {
    let under = try SQLiteUnderTest.inMemory()
    let lease = try await under.ledger.lease("s", to: "one", for: .seconds(10))
    _ = try await under.ledger.append([draft], under: lease, key: "k")
    // As the first version left it.
    try await under.database.write { database in
      try database.execute(sql: "DROP TABLE ledger_identity")
      try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'ledger identity'")
    }
    let forward = try SQLiteEventLedger(under.database)
    #expect(try await forward.append([draft], under: lease, key: "k").isRepeat)
    #expect(try await forward.identity().count == 32)
    try await under.database.write { database in
      try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('of a later time')")
    }
    let error = #expect(throws: LedgerError.self) { try SQLiteEventLedger(under.database) }
    #expect(error?.message.contains("of a later time") == true)
  }

  @Test func aBackupMadeWhileAppendsContinueIsRestoredUnderANewIdentity() async throws {
    let under = try SQLiteUnderTest.inFile()
    let ledger = try #require(under.ledger as? SQLiteEventLedger)
    let lease = try await ledger.lease("s", to: "one", for: .seconds(10))
    for index in 0..<50 { _ = try await ledger.append([draft, draft], under: lease, key: "\(index)") }
    let path = under.path + ".backup"
    async let appends: Void = {
      for index in 50..<100 { _ = try await ledger.append([draft, draft], under: lease, key: "\(index)") }
    }()
    try await ledger.backup(to: path)
    try await appends
    #expect(await code { try await ledger.backup(to: path) } == .invalid)

    let restored = try SQLiteEventLedger(SQLiteUnderTest.open(path), now: { WallTime(microseconds: 0) })
    let last = try await restored.extent(of: "s").last
    #expect((100...200).contains(last) && last.isMultiple(of: 2))
    #expect(try await restored.events(of: "s", after: 0, limit: 1_000).map(\.sequence) == Array(1...last))
    #expect(try await restored.append([draft, draft], under: lease, key: "0").isRepeat)
    let identity = try await restored.identity()
    #expect(try await ledger.identity() != identity)
    // Opened once more, it keeps its name: a restart is no restore.
    #expect(try await SQLiteEventLedger(SQLiteUnderTest.open(path)).identity() == identity)
  }

  @Test func aDatabaseThatAnotherConnectionServesIsCopiedForItsOwnerAlone() async throws {
    let under = try SQLiteUnderTest.inFile()
    let lease = try await under.ledger.lease("s", to: "one", for: .seconds(10))
    _ = try await under.ledger.append([draft, draft], under: lease, key: nil)
    let path = under.path + ".copy"
    try await LedgerBackup.write(databaseAt: under.path, to: path)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    let copy = try SQLiteEventLedger(SQLiteUnderTest.open(path))
    #expect(try await copy.extent(of: "s").last == 2)
    #expect(try await copy.identity() != under.ledger.identity())
    // It was read alone: the one that is served keeps its name, and takes more.
    _ = try await under.ledger.append([draft], under: lease, key: nil)

    // What is no ledger leaves no copy behind, and nothing where nothing was.
    try await DatabaseQueue(path: path + ".other").write { try $0.execute(sql: "CREATE TABLE t (a)") }
    for (source, target) in [(path + ".other", path + ".b"), (path + ".none", path + ".c")] {
      #expect(await code { try await LedgerBackup.write(databaseAt: source, to: target) } == .database)
      #expect(!FileManager.default.fileExists(atPath: target))
    }
    #expect(!FileManager.default.fileExists(atPath: path + ".none"))
    #expect(await code { try await LedgerBackup.write(databaseAt: under.path, to: path) } == .invalid)
  }

  /// The log that a killed process left would bring back what was said after the backup.
  @Test func aLogThatIsLeftBesideARestoredFileIsNotApplied() async throws {
    let under = try SQLiteUnderTest.inFile()
    let ledger = try #require(under.ledger as? SQLiteEventLedger)
    let lease = try await ledger.lease("s", to: "one", for: .seconds(10))
    _ = try await ledger.append([draft], under: lease, key: nil)
    let backup = under.path + ".backup"
    try await ledger.backup(to: backup)
    for _ in 0..<5 { _ = try await ledger.append([draft], under: lease, key: nil) }
    let files = FileManager.default
    let restored = under.path + ".restored"
    for suffix in ["-wal", "-shm"] { try files.copyItem(atPath: under.path + suffix, toPath: restored + suffix) }
    try files.copyItem(atPath: backup, toPath: restored)

    let identity = try await {
      let opened = try SQLiteEventLedger.open(path: restored)
      #expect(try await opened.extent(of: "s").last == 1)
      _ = try await opened.append([draft, draft], under: lease, key: nil)
      #expect(try await opened.identity() != ledger.identity())
      return try await opened.identity()
    }()
    // Its own log stays, and so does its name.
    let again = try SQLiteEventLedger.open(path: restored)
    #expect(try await again.extent(of: "s").last == 3)
    #expect(try await again.identity() == identity)
  }

  /// A program that knows no marks leaves one behind: it must not throw away a log that is its own by then.
  @Test func aMarkGoesWithTheFirstOpening() async throws {
    let under = try SQLiteUnderTest.inFile()
    let backup = under.path + ".backup"
    try await (try #require(under.ledger as? SQLiteEventLedger)).backup(to: backup)
    try await DatabaseQueue(path: backup).write { try $0.execute(sql: "UPDATE ledger_identity SET is_copy = 0") }
    func mark() async throws -> Int? {
      try await DatabaseQueue(path: backup).read { try Int.fetchOne($0, sql: "PRAGMA application_id") }
    }
    #expect(try await mark() != 0)
    _ = try SQLiteEventLedger.open(path: backup)
    #expect(try await mark() == 0)
  }

  /// A file that is left by a backup that was killed is no backup, and is not written over.
  @Test func aBackupHasItsNameOnceItIsWhole() async throws {
    let under = try SQLiteUnderTest.inFile()
    let ledger = try #require(under.ledger as? SQLiteEventLedger)
    let path = under.path + ".backup"
    try Data("half".utf8).write(to: URL(fileURLWithPath: path + ".partial"))
    #expect(await code { try await ledger.backup(to: path) } == .invalid)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(FileManager.default.contents(atPath: path + ".partial") == Data("half".utf8))
    try FileManager.default.removeItem(atPath: path + ".partial")
    try await ledger.backup(to: path)
    let folder = (path as NSString).deletingLastPathComponent
    let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains(".backup") }
    #expect(left == [(path as NSString).lastPathComponent])
  }

  /// A process that is killed leaves the files of that moment; a torn write leaves a shorter log. Both are opened as
  /// a restart would open them.
  @Test func whateverAKilledProcessLeavesHasNoGapAndAllThatWasAcknowledged() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let under = try SQLiteUnderTest.inFile()
    let queue = AppendQueue(under.ledger, limits: AppendLimits(batchAppends: 3))
    let streams = ["a", "b", "c"]
    var leases: [LedgerLease] = []
    for stream in streams { leases.append(try await under.ledger.lease(stream, to: "one", for: .seconds(10))) }
    let beginning = try Leftover(of: under.path)
    var moments = 0
    for round in 0..<8 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<30 {
          let lease = leases[index % 3]
          // The first byte tells how many events belong together.
          let drafts = Array(
            repeating: LedgerDraft(type: "t", payload: [UInt8(index % 4 + 1)] + Array(repeating: 7, count: 300)),
            count: index % 4 + 1)
          group.addTask { _ = try await queue.append(drafts, under: lease, key: "\(round).\(index)") }
        }
        var left = Int.random(in: 1..<30, using: &random)
        while try await group.next() != nil {
          left -= 1
          guard left == 0 else { continue }
          let acknowledged = try await under.ledger.extents(of: streams)
          let files = try Leftover(of: under.path)
          try await files.check(acknowledged)
          for _ in 0..<4 { try await files.truncated(after: beginning, using: &random).check([:]) }
          moments += 1
        }
      }
    }
    #expect(moments == 8)
  }
}
