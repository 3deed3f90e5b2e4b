import Foundation
import HTTPTypes
import Logging
import StreamTransport
import TestSupport
import Testing

@testable import CodexRemoteClient

@Suite(.timeLimit(.minutes(5))) final class RemoteHostStoreTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/remote-\(UUID().uuidString)"
  private let host = RemoteHost(
    origin: Origin(scheme: .https, host: "desk.test", port: 8_787), fingerprint: nil, deviceID: "d",
    credential: RemoteCredential(token: "one", renewalToken: "r1", expiresAt: 1_000))

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func mode(_ path: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test func whatIsKeptComesBackAndIsClosedToOthers() async throws {
    let store = RemoteHostStore(folder: folder)
    #expect(try store.hosts().isEmpty)
    try await store.keep(host)
    #expect(try store.hosts() == [host])
    #expect(try mode(folder) == 0o700)
    #expect(try mode(folder + "/hosts.json") == 0o600)
    #expect(try await store.remove(host.origin))
    #expect(try store.hosts().isEmpty)
  }

  @Test(arguments: ["", "{}", "[]", #"{"format":"agent-stream remote hosts","version":2,"hosts":[]}"#])
  func aFileThatCannotBeUnderstoodIsRefused(_ text: String) async throws {
    let store = RemoteHostStore(folder: folder)
    try await store.keep(host)
    try Data(text.utf8).write(to: URL(filePath: folder + "/hosts.json"))
    #expect(chmod(folder + "/hosts.json", 0o600) == 0)
    #expect(throws: RemoteError.self) { try store.hosts() }
  }

  @Test func aFileThatOthersMayReadIsRefused() async throws {
    let store = RemoteHostStore(folder: folder)
    try await store.keep(host)
    #expect(chmod(folder + "/hosts.json", 0o644) == 0)
    #expect(throws: RemoteError.self) { try store.hosts() }
  }

  @Test func programsThatShareAFileRenewOnce() async throws {
    let store = RemoteHostStore(folder: folder)
    try await store.keep(host)
    let transport = ScriptedTransport { _ in
      .response(
        HTTPResponse(status: .ok),
        [.bytes(Array(#"{"token":"two","renewalToken":"r2","expiresAt":900000000}"#.utf8)), .end])
    }
    let requests = RemoteRequests(
      transport: transport, clock: .continuous, logger: Logger(label: "t") { _ in SwiftLogNoOpLogHandler() })
    let programs = (0..<4).map { _ in RemoteAuthorization(host, store: store, requests: requests, now: { 2_000 }) }
    try await withThrowingTaskGroup(of: String.self) { group in
      for program in programs { group.addTask { try await program.token() } }
      for try await token in group { #expect(token == "two") }
    }
    #expect(transport.requests.count == 1)
    #expect(try store.hosts().first?.credential.token == "two")
  }
}
