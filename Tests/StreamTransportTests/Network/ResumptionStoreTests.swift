import Dispatch
import Foundation
import HTTP3Engine
import StreamTransport
import Synchronization
import TestSupport
import Testing
import TransportRecords

@Suite struct ResumptionStoreTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "resumption-\(UUID().uuidString)")
  private let origin = Origin(scheme: .https, host: "example.org", port: 443)

  private var path: String { folder.appending(path: "state/tickets").path }

  private static func ticket(_ number: UInt8) -> ResumptionTicket {
    ResumptionTicket(
      session: [number], certificates: [[1, 2]], transportParameters: [3],
      settings: PeerSettings(
        maximumFieldSectionSize: 4, qpackTableCapacity: 5, qpackBlockedStreams: 6, allowsExtendedConnect: true,
        allowsDatagrams: false))
  }

  private func store(isFile: Bool) -> ResumptionStore {
    // Patient, as ``ResumptionStore/patient`` is.
    ResumptionStore(path: isFile ? path : nil, logger: .quiet, alarm: Alarm { _, _ in })
  }

  @Test(arguments: [true, false]) func eachTicketIsGivenOutOnceTheNewestFirst(_ isFile: Bool) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = store(isFile: isFile)
    for number in 1...6 { store.add(Self.ticket(UInt8(number)), for: origin) }
    store.setToken([9], for: origin)
    store.setRoundTrip(.milliseconds(30), for: origin)
    // Four are kept.
    for number in [6, 5, 4, 3] { #expect(await store.take(origin).ticket == Self.ticket(UInt8(number))) }
    let last = await store.take(origin)
    #expect(last.ticket == nil)
    #expect(last.roundTrip == .milliseconds(30))
    #expect(await store.take(Origin(scheme: .https, host: "example.com", port: 443)).roundTrip == nil)
  }

  @Test func aTokenIsGivenOutOnce() async {
    let store = ResumptionStore.patient
    store.setToken([9], for: origin)
    #expect(await store.take(origin).token == [9])
    #expect(await store.take(origin).token == nil)
  }

  /// Seconds since the doubt; a negative number is of a clock that was set back.
  @Test(arguments: [(-60.0, false), (0, true), (86_000, true), (86_401, false)])
  func aDoubtAboutECNHoldsForADay(age: Double, holds: Bool) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = store(isFile: true)
    store.doubtECN(of: origin)
    let doubt = try #require(await store.take(origin).ecnDoubt)
    #expect(doubt > .seconds(86_000) && doubt <= .seconds(86_400))
    var file = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    let field = try #require(file.firstRange(of: /"ecnDoubtedAt":[0-9.e+]+/))
    file.replaceSubrange(field, with: "\"ecnDoubtedAt\":\(Date().timeIntervalSince1970 - age)")
    try Data(file.utf8).write(to: URL(filePath: path))
    #expect((await store.take(origin).ecnDoubt != nil) == holds)
  }

  @Test func aFileServesTheNextProcessAndIsItsOwnersAlone() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = store(isFile: true)
    first.add(Self.ticket(1), for: origin)
    first.add(Self.ticket(2), for: origin)
    let second = store(isFile: true)
    // In order behind what the first stored.
    #expect(await first.take(origin).ticket == Self.ticket(2))
    #expect(await second.take(origin).ticket == Self.ticket(1))
    #expect(await first.take(origin).ticket == nil)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test func anyGarbageInTheFileCountsAsNothing() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let good = store(isFile: true)
    good.add(Self.ticket(1), for: origin)
    good.setRoundTrip(.milliseconds(1), for: origin)
    _ = await good.take(Origin(scheme: .https, host: "other", port: 1))
    let bytes = try Data(contentsOf: URL(filePath: path))
    var generator = SeededGenerator(seed: 11)
    for round in 0..<300 {
      var damaged = bytes
      if round < bytes.count, round % 2 == 0 {
        damaged = damaged.prefix(round)
      } else {
        damaged[Int(generator.next() % UInt64(damaged.count))] = UInt8(truncatingIfNeeded: generator.next())
      }
      try damaged.write(to: URL(filePath: path))
      let store = store(isFile: true)
      let remembered = await store.take(origin)
      #expect(remembered.ticket == nil || remembered.ticket == Self.ticket(1), "round \(round)")
      store.add(Self.ticket(2), for: origin)
      #expect(await store.take(origin).ticket == Self.ticket(2), "round \(round)")
    }
  }

  @Test func theLeastRecentlyUsedServerIsForgotten() async {
    let store = ResumptionStore.patient
    for number in 1...70 {
      store.add(Self.ticket(1), for: Origin(scheme: .https, host: "host-\(number)", port: 443))
    }
    #expect(await store.take(Origin(scheme: .https, host: "host-1", port: 443)).ticket == nil)
    #expect(await store.take(Origin(scheme: .https, host: "host-70", port: 443)).ticket != nil)
  }

  @Test func whereNothingCanBeWrittenMemoryServes() async {
    let store = ResumptionStore(file: "/proc/no/such/file", logger: .quiet)
    store.add(Self.ticket(1), for: origin)
    #expect(await store.take(origin).ticket == Self.ticket(1))
  }

  @Test func whatComesTooLateIsPutBack() async {
    let alarm = Mutex<@Sendable () -> Void>({})
    let store = ResumptionStore(
      path: nil, logger: .quiet,
      alarm: Alarm { time, body in
        #expect(time == .milliseconds(100))
        alarm.withLock { $0 = body }
        body()
      })
    store.add(Self.ticket(1), for: origin)
    // The memory may answer first or last: nothing is lost, and nothing is given out twice.
    let first = await store.take(origin).ticket
    #expect(first == nil || first == Self.ticket(1))
    // The first count waits until the memory has answered, the second until what it took is back.
    _ = await store.ticketCount(origin)
    #expect(await store.ticketCount(origin) + (first == nil ? 0 : 1) == 1)
    // Harmless after the answer.
    alarm.withLock { $0 }()
  }

  @Test(.timeLimit(.minutes(10))) func patienceNeedsNoneOfTheThreadsThatTasksShare() async {
    await #expect(processExitsWith: .success) {
      let folder = FileManager.default.temporaryDirectory.appending(path: "resumption-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let path = folder.appending(path: "tickets").path
      let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      try #require(flock(descriptor, LOCK_EX) == 0)
      let origin = Origin(scheme: .https, host: "127.0.0.1", port: 443)
      let store = ResumptionStore(path: path, logger: .quiet, patience: .milliseconds(1))
      let transport = HTTP3Transport(origin: origin, tls: TLSOptions(), logger: .quiet)
      try await transport.onReceivingThread {
        // The system adds a thread a second to those that are blocked.
        for _ in 0..<1_000 { DispatchQueue.global().async { DispatchSemaphore(value: 0).wait() } }
        let isNothing = await store.take(origin).ticket == nil
        // Going back needs such a thread.
        try? FileManager.default.removeItem(at: folder)
        exit(isNothing ? EXIT_SUCCESS : EXIT_FAILURE)
      }
    }
  }
}
