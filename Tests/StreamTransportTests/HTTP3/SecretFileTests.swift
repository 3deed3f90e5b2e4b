import Foundation
import Testing

@testable import StreamTransport

/// The file with the secrets of tickets and tokens.
@Suite struct SecretFileTests {
  private let path = FileManager.default.temporaryDirectory.appending(path: "secrets-\(UUID().uuidString)").path
  private var file: SecretFile { SecretFile(path: path) }

  private func remove() {
    for suffix in ["", ".lock", ".early-data"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  private func write(_ count: Int) throws { try Data(repeating: 7, count: count).write(to: URL(filePath: path)) }

  @Test func aMissingOneIsMadeForItsOwnerAlone() throws {
    defer { remove() }
    let secrets = try file.load(.system)
    #expect(secrets.map(\.count) == [32])
    #expect(try file.load(.system) == secrets)
    #expect(!file.isOpenToOthers)
    #expect(chmod(path, 0o640) == 0)
    #expect(file.isOpenToOthers)
  }

  @Test(arguments: [0, 1, 31, 33, 63, 9 * 32, 5_000])
  func otherSizesAreRefusedWithTheRemedy(_ count: Int) throws {
    defer { remove() }
    try write(count)
    let error = #expect(throws: TransportError.self) { try file.load(.system) }
    #expect(error?.code == .invalidRequest && error?.message.contains(path) == true)
    #expect(try Data(contentsOf: URL(filePath: path)).count == count)
  }

  @Test func severalAreInTheOrderOfTheFile() throws {
    defer { remove() }
    try (Data(repeating: 1, count: 32) + Data(repeating: 2, count: 32)).write(to: URL(filePath: path))
    #expect(try file.load(.system) == [[UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32)])
  }

  @Test func aFolderAndAPipeAreRefused() throws {
    defer { remove() }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(throws: TransportError.self) { try file.load(.system) }
    remove()
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: TransportError.self) { try file.load(.system) }
  }

  @Test func aRotationKeepsTwoBeforeTheNewest() throws {
    defer { remove() }
    let now = Int(Date.now.timeIntervalSince1970)
    var before = try file.load(.system)
    try file.rotate(after: .seconds(60), now: now, .system)
    #expect(try file.load(.system) == before)
    for count in [2, 3, 3] {
      // The file was written just now, in whatever second.
      try file.rotate(after: .seconds(60), now: now + 120, .system)
      let after = try file.load(.system)
      #expect(
        after.count == count && Array(after.dropFirst()) == Array(before.prefix(count - 1))
          && !before.contains(after[0]))
      before = after
    }
    #expect(!file.isOpenToOthers)
  }

  /// Servers with links to one file share it, and go on sharing it when it is renewed.
  @Test func linksAreTheFileThatTheyLeadTo() throws {
    let links = [path + ".a", path + ".b"]
    defer {
      remove()
      for link in links { try? FileManager.default.removeItem(atPath: link) }
    }
    let secrets = try file.load(.system)
    for link in links { try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path) }
    try SecretFile(path: links[0]).rotate(after: .zero, now: Int(Date.now.timeIntervalSince1970) + 60, .system)
    let after = try SecretFile(path: links[1]).load(.system)
    #expect(after.count == 2 && after.last == secrets[0])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: links[0]) == path)
    let claim = EarlyDataClaim(for: SecretFile(path: links[0]))
    #expect(claim != nil && EarlyDataClaim(for: SecretFile(path: links[1])) == nil)
    _ = claim
  }

  @Test func oneAtATimeClaimsEarlyData() throws {
    defer { remove() }
    var first = EarlyDataClaim(for: file)
    #expect(first != nil)
    #expect(EarlyDataClaim(for: file) == nil)
    first = nil
    #expect(EarlyDataClaim(for: file) != nil)
    #expect(EarlyDataClaim(for: SecretFile(path: "/nowhere/secrets")) == nil)
    _ = first
  }
}
