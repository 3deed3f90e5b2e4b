import Glibc
import ResolveKitCore
import StreamTransport
import Testing

@testable import CodexCompanion

@Suite struct StoreFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func claim(_ disk: Disk = .system) throws(StoreError) -> StoreFile {
    try StoreFile(claiming: folder.file("store.json"), format: "test", disk: disk)
  }

  @Test func keepsADocumentForItsOwnerAlone() throws {
    let file = try claim()
    #expect(try file.read() == nil)
    try file.write(["value": 7])
    #expect(try file.read()?["value"] == 7)
    #expect(try folder.mode("store.json") == 0o600)
    #expect(try folder.text("store.json") == #"{"format":"test","value":7,"version":1}"# + "\n")
  }

  @Test func belongsToOneProcessAtATime() throws {
    var first: StoreFile? = try claim()
    #expect(throws: StoreError.self) { try claim() }
    withExtendedLifetime(first) {}
    first = nil
    _ = try claim()
  }

  @Test(arguments: [
    ("", StoreError.Code.damaged), ("{", .damaged), ("[]", .damaged), ("{}", .damaged), ("null", .damaged),
    (#"{"format":"other","version":1}"#, .damaged), (#"{"format":"test"}"#, .damaged),
    (#"{"format":"test","version":0}"#, .damaged), (#"{"format":"test","version":1e300}"#, .damaged),
    (#"{"format":"test","version":"1"}"#, .damaged), (#"{"format":"test","version":2}"#, .newer),
  ])
  func refusesWhatItDidNotWriteAndLeavesItThere(text: String, code: StoreError.Code) throws {
    try folder.write(text, to: "store.json")
    let error = try #require(throws: StoreError.self) { try claim().read() }
    #expect(error.code == code)
    #expect(error.message.contains("store.json"))
    #expect(try folder.text("store.json") == text)
  }

  @Test func refusesAFileThatOthersCouldWriteALinkAndAFolder() throws {
    try folder.write(#"{"format":"test","version":1}"#, to: "store.json", mode: 0o620)
    #expect(try #require(throws: StoreError.self) { try claim().read() }.code == .notPrivate)
    #expect(rename(folder.file("store.json"), folder.file("other.json")) == 0)
    #expect(chmod(folder.file("other.json"), 0o600) == 0)
    #expect(symlink("other.json", folder.file("store.json")) == 0)
    #expect(try #require(throws: StoreError.self) { try claim().read() }.code == .damaged)
    #expect(unlink(folder.file("store.json")) == 0)
    #expect(mkdir(folder.file("store.json"), 0o700) == 0)
    #expect(try #require(throws: StoreError.self) { try claim().read() }.code == .damaged)
  }

  @Test func aFullDiskLeavesTheOldDocument() throws {
    try claim().write(["value": 1])
    var disk = Disk.system
    disk.write = { _, _ in
      errno = ENOSPC
      return -1
    }
    let file = try claim(disk)
    #expect(try #require(throws: StoreError.self) { try file.write(["value": 2]) }.code == .inaccessible)
    #expect(try file.read()?["value"] == 1)
  }

  @Test func neverWritesMoreThanItReads() throws {
    let file = try claim()
    let long = JSONValue.string(String(repeating: "x", count: StoreFile.maximumBytes))
    #expect(try #require(throws: StoreError.self) { try file.write(["value": long]) }.code == .full)
    #expect(try file.read() == nil)
  }
}
