import Foundation
import HTTPTypes
import StreamTransport
import TestSupport
import Testing

@Suite struct QlogDirectoryTests {
  @Test(.timeLimit(.minutes(10))) func eachSideLeavesAWholeTraceForItsOwnerAlone() async throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "qlog-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: root) }
    let directory = root + "/traces"
    try await HTTP3TestServer.run(configure: { $0.options.qlogDirectory = directory }) { server in
      var configuration = HTTP3TransportConfiguration.patient
      configuration.qlogDirectory = directory
      for _ in 0..<2 {
        let transport = server.makeTransport(configuration: configuration)
        let response = try await transport.send(
          HTTPRequest(.post, path: "/?key=hunter2"),
          body: .bytes(Array(repeating: 7, count: 100_000)))
        #expect(try await response.body.collect(upTo: 200_000).count == 100_000)
        await transport.close()
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    #expect(names.count == 4)
    let ids = Set(names.map { $0.prefix { $0 != "_" } })
    #expect(ids.count == 2)
    for id in ids { #expect(names.contains("\(id)_client.sqlog") && names.contains("\(id)_server.sqlog")) }
    #expect(try permissions(directory) == 0o700)
    for name in names {
      let path = directory + "/" + name
      #expect(try permissions(path) == 0o600)
      let records = try #require(FileManager.default.contents(atPath: path)).split(separator: 0x1e)
      #expect(records.count > 100)
      for record in records {
        #expect(record.last == 0x0a)
        #expect(try JSONSerialization.jsonObject(with: Data(record)) is [String: Any])
      }
      let text = String(decoding: Data(records.joined()), as: UTF8.self)
      #expect(text.contains("connectivity:connection_closed"))
      #expect(!text.contains("hunter2"))
    }
  }

  @Test(.timeLimit(.minutes(10))) func aDirectoryThatCannotBeWrittenEndsNoConnection() async throws {
    try await HTTP3TestServer.run(configure: { $0.options.qlogDirectory = "/proc/none" }) { server in
      var configuration = HTTP3TransportConfiguration.patient
      configuration.qlogDirectory = "/dev/null/none"
      let transport = server.makeTransport(configuration: configuration)
      _ = try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 10)
      await transport.close()
    }
  }

  private func traces(_ directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix("_server.sqlog") }
  }

  /// Those of an earlier run count, and go first; what is no server's trace stays.
  @Test(.timeLimit(.minutes(10))) func theNewestTracesOfAServerAreKept() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "qlog-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    let others = ["00_client.sqlog", "notes.sqlog", "ab_server.json"]
    for (age, name) in (others + ["01_server.sqlog", "02_server.sqlog", "03_server.sqlog"]).enumerated() {
      #expect(FileManager.default.createFile(atPath: "\(directory)/\(name)", contents: Data("x".utf8)))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000 + Double(age))], ofItemAtPath: "\(directory)/\(name)")
    }
    try await HTTP3TestServer.run(configure: {
      $0.options.qlogDirectory = directory
      $0.options.qlogSampling.maximumFiles = 2
    }) { server in
      for _ in 0..<3 {
        let transport = server.makeTransport()
        _ = try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 10)
        await transport.close()
      }
    }
    let kept = try traces(directory)
    #expect(kept.count == 2 && !kept.contains("01_server.sqlog") && !kept.contains("02_server.sqlog"), "\(kept)")
    for name in others { #expect(FileManager.default.fileExists(atPath: "\(directory)/\(name)")) }
  }

  @Test(.timeLimit(.minutes(10))) func tracesStayWithinTheirSizeAndEndWhole() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "qlog-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try await HTTP3TestServer.run(configure: {
      $0.options.qlogDirectory = directory
      $0.options.qlogSampling.maximumBytes = 60_000
    }) { server in
      for _ in 0..<3 {
        let transport = server.makeTransport()
        let body = RequestBody.bytes([UInt8](repeating: 7, count: 200_000))
        let response = try await transport.send(HTTPRequest(.post, path: "/"), body: body)
        #expect(try await response.body.collect(upTo: 300_000).count == 200_000)
        await transport.close()
      }
    }
    var sum = 0
    for name in try traces(directory) {
      let bytes = try #require(FileManager.default.contents(atPath: "\(directory)/\(name)"))
      sum += bytes.count
      for record in bytes.split(separator: 0x1e) {
        #expect(try JSONSerialization.jsonObject(with: Data(record)) is [String: Any])
      }
    }
    #expect(sum > 0 && sum <= 60_000, "\(sum)")
  }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }
}
