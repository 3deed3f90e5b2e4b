import Foundation
import ResolveKitCore
import Testing

@testable import ResolveKitNetworking

/// Sessions that are forgotten because they are too many or too old.
struct JournalPruningTests {
  /// A folder with these sessions, of which the first was used last, a day before the next, and so on.
  private func withSessions(
    _ ids: [String], _ body: (ResolveKitJournalFolder) async throws -> Void
  ) async throws {
    let folder = ResolveKitJournalFolder(
      path: FileManager.default.temporaryDirectory.appending(path: "pruning-\(UUID().uuidString)").path)
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    for (age, id) in ids.enumerated() {
      let journal = try folder.open(id) { _, _ in }
      journal.append([.origin(server: "https://a.test", deviceID: "d"), .session(id: id), .history([])], time: 1)
      await journal.close()
      let name = try #require(try files(folder).first { $0.hasPrefix("\(id)-") && $0.hasSuffix(".journal") })
      try FileManager.default.setAttributes(
        [.modificationDate: Self.now.addingTimeInterval(-86_400 * Double(age))], ofItemAtPath: "\(folder.path)/\(name)")
    }
    try await body(folder)
  }

  private static let now = Date()

  private func files(_ folder: ResolveKitJournalFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
  }

  private func ids(_ folder: ResolveKitJournalFolder) throws -> [String] {
    try folder.sessions().map(\.id).sorted()
  }

  @Test func theNewestStay() async throws {
    try await withSessions(["a", "b", "c", "d"]) { folder async throws in
      #expect(try folder.prune(keeping: 4) == 0)
      #expect(try folder.prune(keeping: 2) == 2)
      #expect(try ids(folder) == ["a", "b"])
      // Nothing of the others is left, their locks neither.
      #expect(try files(folder).count == 4)
      #expect(try folder.prune(keeping: 0) == 2)
      #expect(try files(folder).isEmpty)
    }
  }

  @Test func whatWasNotUsedForLongGoes() async throws {
    try await withSessions(["a", "b", "c"]) { folder async throws in
      #expect(try folder.prune(keeping: 9, usedSince: Self.now.addingTimeInterval(-1.5 * 86_400)) == 1)
      #expect(try ids(folder) == ["a", "b"])
    }
  }

  @Test func whatIsInUseStays() async throws {
    try await withSessions(["a", "b", "c"]) { folder async throws in
      let journal = try folder.open("c") { _, _ in }
      #expect(try folder.prune(keeping: 1, usedSince: Self.now.addingTimeInterval(-43_200)) == 1)
      #expect(try ids(folder) == ["a", "c"])
      await journal.close()
    }
  }

  @Test func nothingOfARemovedSessionStays() async throws {
    try await withSessions(["a", "b"]) { folder async throws in
      let name = try #require(try files(folder).first { $0.hasPrefix("b-") && $0.hasSuffix(".journal") })
      for remains in [".damaged-17", ".4711.new"] {
        try Data("x".utf8).write(to: URL(filePath: "\(folder.path)/\(name)\(remains)"))
      }
      try folder.remove("b")
      #expect(try files(folder).allSatisfy { $0.hasPrefix("a-") })
    }
  }

  @Test func copiesOfADamagedJournalGoWithIt() async throws {
    try await withSessions(["a", "b"]) { folder async throws in
      let name = try #require(try files(folder).first { $0.hasPrefix("b-") && $0.hasSuffix(".journal") })
      try Data("x".utf8).write(to: URL(filePath: "\(folder.path)/\(name).damaged-17"))
      #expect(try folder.prune(keeping: 1) == 1)
      #expect(try files(folder).allSatisfy { $0.hasPrefix("a-") })
    }
  }

  @Test func aFolderThatIsMissingHasNothingToForget() throws {
    #expect(try ResolveKitJournalFolder(path: "/nonexistent/sessions").prune(keeping: 1) == 0)
  }

  @Test func aRemovedSessionMayBeginAgain() async throws {
    try await withSessions(["a"]) { folder async throws in
      try folder.remove("a")
      #expect(try files(folder).isEmpty)
      let journal = try folder.open("a") { _, _ in }
      #expect(throws: JournalError.self) { try folder.open("a") { _, _ in } }
      await journal.close()
    }
  }
}
