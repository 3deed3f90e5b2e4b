import Foundation
import Glibc
import StreamTransport
import Synchronization
import Testing
import TransportPolicy

@Suite(.timeLimit(.minutes(10))) struct OriginStoreTests {
  private static let now = 1_767_225_600
  private static let header = "agent-stream-origins 1\n"
  private static let line = "path https://a.example home 1767225600 80000 40000 - - 300\n"

  /// Runs `body` with a folder of its own.
  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "origins-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  private func store(_ path: String, now: Int = now) -> OriginStore {
    OriginStore(file: path, logger: .quiet, now: { now })
  }

  private func learn(_ store: OriginStore, _ origin: String = "https://a.example") async {
    store.update { memory, now in
      memory.http3Connected(to: origin, on: "home", after: .milliseconds(80), now: now)
    }
    await store.flush()
  }

  private func isKnown(_ store: OriginStore, _ origin: String = "https://a.example") -> Bool {
    let plan = store.read { memory, now in
      memory.plan(for: origin, on: "home", headStart: .milliseconds(250), now: now)
    }
    return plan == .headStart(.milliseconds(160))
  }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }

  @Test func whatIsLearntIsKeptForItsOwnerAlone() async throws {
    try await withFolder { folder in
      let path = folder + "/state/agent-stream/origins"
      await learn(store(path))
      let written = try text(path)
      #expect(written == Self.header + Self.line)
      #expect(try permissions(path) == 0o600)
      #expect(try permissions(folder + "/state/agent-stream") == 0o700)
      #expect(isKnown(store(path)))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/state/agent-stream") == ["origins"])
    }
  }

  @Test func aFolderThatIsThereKeepsItsPermissions() async throws {
    try await withFolder { folder in
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
      try Data().write(to: URL(filePath: folder + "/origins"))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder + "/origins")
      await learn(store(folder + "/origins"))
      #expect(try permissions(folder) == 0o755)
      #expect(try permissions(folder + "/origins") == 0o600)
    }
  }

  /// The file's contents, and whether its one good line is known afterwards.
  @Test(
    arguments: [
      (header + line, true),
      (header + "garbage\n" + line + "\u{0}\u{FFFD}", true),
      (header + line + line.dropLast(), true),
      (header + line.dropLast(), false),
      ("agent-stream-origins 2\n" + line, false),
      ("", false), ("\u{0}\u{1}\u{2}", false), (line, false),
      (String(repeating: "x", count: 3 << 20), false),
      (header + String(repeating: line, count: 40_000), false),
    ] as [(String, Bool)])
  func garbageIsSurvivedAndWrittenOver(contents: String, isKnown: Bool) async throws {
    try await withFolder { folder in
      let path = folder + "/origins"
      try Data(contents.utf8).write(to: URL(filePath: path))
      let store = store(path)
      #expect(self.isKnown(store) == isKnown)
      await learn(store, "https://b.example")
      let lines = try text(path).split(separator: "\n")
      #expect(lines.first.map { "\($0)\n" } == Self.header)
      #expect(lines.count == (isKnown ? 3 : 2))
      #expect(self.isKnown(self.store(path), "https://b.example"))
    }
  }

  @Test func whatOthersWroteStays() async throws {
    try await withFolder { folder in
      let path = folder + "/origins"
      let (one, other) = (store(path), store(path))
      await learn(one, "https://a.example")
      await learn(other, "https://b.example")
      let third = store(path)
      #expect(isKnown(third, "https://a.example") && isKnown(third, "https://b.example"))
    }
  }

  @Test func manyWritersLeaveAWholeFile() async throws {
    try await withFolder { folder in
      let path = folder + "/origins"
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          group.addTask { await learn(store(path), "https://\(number).example") }
        }
      }
      let lines = try text(path).split(separator: "\n")
      #expect(lines.count == 41)
    }
  }

  @Test func whatMustNotBeKeptIsNot() async throws {
    try await withFolder { folder in
      let path = folder + "/origins"
      let store = store(path)
      store.update(isKept: false) { memory, now in
        memory.http3Connected(to: "https://a.example", on: "home", after: .milliseconds(80), now: now)
      }
      await store.flush()
      #expect(isKnown(store))
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  /// A folder, a pipe that nobody writes, and a place where nothing can be made: nothing is kept, and nothing waits.
  @Test(arguments: ["folder", "pipe", "file/below"])
  func aPathThatIsNoFileKeepsNothing(name: String) async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder + "/folder/sub", withIntermediateDirectories: true)
      try Data().write(to: URL(filePath: folder + "/file"))
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      let store = store(folder + "/" + name)
      await learn(store)
      #expect(isKnown(store), "as long as the process lives")
    }
  }
}
