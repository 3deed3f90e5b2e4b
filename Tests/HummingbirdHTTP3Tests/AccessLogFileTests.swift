import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import HummingbirdHTTP3

private final class Flag: Sendable {
  private let state = Mutex(false)
  var isRaised: Bool { state.withLock { $0 } }
  func raise() { state.withLock { $0 = true } }
}

/// An access log on disk.
@Suite(.timeLimit(.minutes(10)))
struct AccessLogFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "access-log-\(UUID().uuidString)").path
  private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func lines(_ name: String) throws -> [Substring] {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n")
  }

  private static func record(_ path: String) -> AccessRecord {
    AccessRecord(
      time: .zero, clientAddress: nil, transport: .http3, method: "GET", authority: nil, path: path, requestID: "i")
  }

  @Test func linesAreAddedInOrder() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for round in 0..<2 {
      let log = try AccessLogFile(path: "\(folder)/access.log", logger: logger)
      for number in 0..<100 { log.append(Self.record("/\(round)/\(number)")) }
      await log.flush(within: .seconds(60))
    }
    let found = try lines("access.log").map { $0.split(separator: "\"")[1] }
    #expect(found == (0..<200).map { "GET /\($0 / 100)/\($0 % 100) HTTP/3.0" })
    let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/access.log")[.posixPermissions] as? Int
    #expect((mode ?? 0o777) & 0o027 == 0)
  }

  /// As logrotate does it.
  @Test func afterARenameLinesGoToANewFile() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let log = try AccessLogFile(path: "\(folder)/access.log", format: .json, logger: logger)
    log.append(Self.record("/1"))
    await log.flush(within: .seconds(60))
    try FileManager.default.moveItem(atPath: "\(folder)/access.log", toPath: "\(folder)/access.log.1")
    log.append(Self.record("/2"))
    log.reopen()
    await log.flush(within: .seconds(60))
    log.append(Self.record("/3"))
    await log.flush(within: .seconds(60))
    let both = try lines("access.log.1") + lines("access.log")
    #expect(both.count == 3 && both[0].contains("/1") && both[1].contains("/2") && both[2].contains("/3"))
    #expect(try lines("access.log").last?.contains("/3") == true)
  }

  @Test func whereThePathCannotBeOpenedTheOldFileStays() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = "\(folder)/access.log"
    let log = try AccessLogFile(path: path, logger: logger)
    try FileManager.default.moveItem(atPath: path, toPath: "\(path).1")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    log.reopen()
    log.append(Self.record("/1"))
    await log.flush(within: .seconds(60))
    #expect(try lines("access.log.1").count == 1)
  }

  @Test func aFolderThatIsNotThereIsAnError() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let error = #expect(throws: MultiProtocolError.self) {
      try AccessLogFile(path: "\(folder)/none/access.log", logger: logger)
    }
    #expect(error?.code == .accessLog)
  }

  /// A pipe that nobody reads holds what it holds; beyond that and the backlog lines are dropped, and nobody waits.
  @Test func aReaderThatStandsStillHoldsUpNobody() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = "\(folder)/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    #expect(reader >= 0)
    let log = try AccessLogFile(path: path, logger: logger)
    let record = Self.record("/" + String(repeating: "x", count: 2_000))
    for _ in 0..<4_000 { log.append(record) }
    await log.flush(within: .milliseconds(1))
    var taken = 0
    var part = [UInt8](repeating: 0, count: 1 << 16)
    // The writer's thread continues while this one reads; it ends with the backlog.
    let flushed = Task { await log.flush(within: .seconds(300)) }
    let isFlushed = Flag()
    Task {
      await flushed.value
      isFlushed.raise()
    }
    while true {
      let isLast = isFlushed.isRaised
      let count = read(reader, &part, part.count)
      if count > 0 { taken += count } else if isLast { break } else { await Task.yield() }
    }
    close(reader)
    #expect(taken > 0 && taken < AccessLogFile.backlogLimit * 3)
  }
}
