import ArgumentParser
import EventLedger
import Foundation

/// Measures a ledger's appends, its fan-out, and how soon another process has an event.
struct LedgerBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ledger",
    abstract: "Measures the event ledger in SQLite and PostgreSQL.",
    discussion: """
      Events have 200 bytes, and every commit is flushed to the disk. `Tools/checks/cluster` starts a PostgreSQL and prints
      the address for --postgres. The floor is a plain insert in a transaction of its own; for PostgreSQL, pgbench has it.
      """)

  @Option(help: "The address of a PostgreSQL database; without it, SQLite alone is measured.")
  var postgres: String?

  @Option(help: "Events of each measurement.")
  var events = 2_000

  @Option(help: "Writers at a time where appends share transactions, and readers where events are fanned out.")
  var tasks = 100

  func validate() throws {
    guard (1...1_000_000).contains(events) else {
      throw ValidationError("--events is \(events); 1 to 1000000 are possible.")
    }
    guard (1...10_000).contains(tasks) else {
      throw ValidationError("--tasks is \(tasks); 1 to 10000 are possible.")
    }
  }

  func run() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bench-ledger-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    var rows: [ComparisonTable.Row] = []
    for address in [folder.appending(path: "ledger.sqlite").path, postgres].compactMap({ $0 }) {
      rows.append(try await row(address))
    }
    let table = ComparisonTable(
      section: "\(events) events of 200 bytes; \(tasks) writers, \(tasks) readers", title: "ledger",
      columns: [
        "plain_inserts_s", "one_by_one_s", "shared_s", "fanned_out_s", "other_process_p50_ms", "other_process_p99_ms",
      ], rows: rows)
    print(table.text)
  }

  private func row(_ address: String) async throws -> ComparisonTable.Row {
    let subject = try await LedgerSubject.open(address)
    let stream = "bench-\(UUID().uuidString)"
    let lease = try await subject.ledger.lease(stream, to: "bench", for: .seconds(3_600))
    let floor: Double?
    if let insert = subject.insert {
      floor = try await rate(events) { for _ in 0..<events { try await insert(LedgerMoment.payload) } }
    } else {
      floor = nil
    }
    let alone = try await rate(events) {
      for _ in 0..<events { try await append(to: subject.ledger, lease) }
    }
    let queue = AppendQueue(subject.ledger)
    let shared = try await rate(events * 10) { try await write(events * 10, through: queue, lease) }
    let cursor = try await subject.ledger.extent(of: stream).last
    let feed = LedgerFeed(subject.ledger)
    let fannedOut = try await rate(events * tasks) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<tasks {
          group.addTask { for try await _ in feed.follow(stream, after: cursor).prefix(events) {} }
        }
        try await write(events, through: queue, lease)
        try await group.waitForAll()
      }
    }
    feed.close()
    let late = try await lateness(address, stream) { try await append(to: subject.ledger, lease) }
    return ComparisonTable.Row(
      name: subject.name,
      values: [floor, alone, shared, fannedOut, late.percentile(0.5) / 1_000, late.percentile(0.99) / 1_000])
  }

  private func append(to ledger: any EventLedger, _ lease: LedgerLease) async throws {
    _ = try await ledger.append([LedgerDraft(type: "bench", payload: LedgerMoment.payload)], under: lease, key: nil)
  }

  private func write(_ count: Int, through queue: AppendQueue, _ lease: LedgerLease) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<tasks {
        group.addTask {
          for _ in stride(from: writer, to: count, by: tasks) {
            let draft = LedgerDraft(type: "bench", payload: LedgerMoment.payload)
            _ = try await queue.append([draft], under: lease, key: nil)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func rate(_ count: Int, _ body: () async throws -> Void) async throws -> Double {
    let start = ContinuousClock.now
    try await body()
    return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
  }

  /// The lateness of events in another process, which prints it event by event. The pauses are random, so that events
  /// do not keep step with the poll.
  private func lateness(
    _ address: String, _ stream: String, _ append: () async throws -> Void
  ) async throws -> DispatchTimes {
    let count = min(events, 100)
    let reader = Process()
    let output = Pipe()
    reader.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    reader.arguments = ["ledger-reader", address, stream, "\(count)"]
    reader.standardOutput = output
    try reader.run()
    var lines = PipeLines(output.fileHandleForReading)
    _ = lines.next()
    var times = DispatchTimes()
    for _ in 0..<count {
      try await Task.sleep(for: .milliseconds(Int.random(in: 1...300)))
      try await append()
      if let line = lines.next(), let late = Int64(line) { times.add(.nanoseconds(late), calls: 1) }
    }
    reader.waitUntilExit()
    return times
  }
}

/// The lines that another process prints.
private struct PipeLines {
  private let handle: FileHandle
  private var buffer: [UInt8] = []

  init(_ handle: FileHandle) {
    self.handle = handle
  }

  /// The next line, for which it waits; nil at the end.
  mutating func next() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      let bytes = handle.availableData
      if bytes.isEmpty { return nil }
      buffer += bytes
    }
  }
}
