import Foundation
import ResolveKitCore
import Testing

@testable import ResolveKitNetworking

/// The session that was used last.
struct LatestJournalTests {
  private func keep(_ id: String, of server: String, at wall: UInt64, in folder: ResolveKitJournalFolder) async throws {
    let journal = try folder.open(id, now: { wall }) { _, _ in }
    journal.append([.origin(server: server, deviceID: "d"), .session(id: id), .history([])], time: 1)
    await journal.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let name = try #require(names.first { $0.hasPrefix("\(id)-") && $0.hasSuffix(".journal") })
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: Double(wall) / 1000)], ofItemAtPath: "\(folder.path)/\(name)")
  }

  private func withFolder(_ body: (ResolveKitJournalFolder) async throws -> Void) async throws {
    let folder = ResolveKitJournalFolder(
      path: FileManager.default.temporaryDirectory.appending(path: "latest-\(UUID().uuidString)").path)
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    try await body(folder)
  }

  @Test func noMoreJournalsAreReadThanItTakes() async throws {
    try await withFolder { folder async throws in
      #expect(try folder.latest(of: "https://a.test")?.id == nil)
      for index in 0..<20 {
        try await keep("s\(index)", of: "https://a.test", at: 1_700_000_000_000 + UInt64(index) * 60_000, in: folder)
      }
      var read: [String] = []
      #expect(try folder.latest(of: "https://a.test") { read.append($0) }?.id == "s19")
      #expect(read.count == 1)
      #expect(try folder.sessions().first?.id == "s19")
    }
  }

  @Test func thoseInUseAndOfOtherServersArePassedOver() async throws {
    try await withFolder { folder async throws in
      for (index, server) in ["a", "a", "a", "b"].enumerated() {
        try await keep(
          "s\(index)", of: "https://\(server).test", at: 1_700_000_000_000 + UInt64(index) * 60_000, in: folder)
      }
      let used = try folder.open("s2") { _, _ in }
      #expect(try folder.latest(of: "https://a.test")?.id == "s1")
      #expect(try folder.latest(of: "https://b.test")?.id == "s3")
      #expect(try folder.latest(of: "https://c.test")?.id == nil)
      await used.close()
      #expect(try folder.latest(of: "https://a.test")?.id == "s2")
    }
  }

  @Test func anUnknownSessionIsSaidNotToBeThere() async throws {
    try await withFolder { folder async throws in
      let error = #expect(throws: JournalError.self) { try folder.session("nobody") }
      #expect(error?.code == .notFound && error?.message.contains("There is no session nobody") == true)
    }
  }
}
