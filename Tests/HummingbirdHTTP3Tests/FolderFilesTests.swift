import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdHTTP3
import Logging
import NIOPosix
import StreamTransport
import Testing

@Suite(.timeLimit(.minutes(10))) struct FolderFilesTests {
  /// Runs `body` with a folder that holds files of these names and sizes.
  private static func withFolder(_ files: [String: Int], _ body: (String) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "folder-files-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder + "/inner", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, size) in files {
      try Data(bytes(size)).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    try await body(folder)
  }

  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 8)) }
  }

  private static func router<Files: FileProvider>(_ files: Files) -> Router<BasicRequestContext>
  where Files.FileAttributes: FileMiddlewareFileAttributes {
    let router = Router()
    router.add(middleware: FileMiddleware(fileProvider: files, searchForIndexHtml: true))
    return router
  }

  private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  private static let sizes = [
    "empty.txt": 0, "small.txt": 1_024, "limit.bin": 65_536, "large.bin": 65_537, "inner/index.html": 10,
  ]

  /// The same answers as from Hummingbird's own provider, whatever way the bytes come.
  @Test(arguments: [nil, "bytes=0-0", "bytes=5-9", "bytes=1000-", "bytes=1000-900000", "bytes=x"])
  func answersAreThoseOfTheLocalFileSystem(_ range: String?) async throws {
    try await Self.withFolder(Self.sizes) { folder in
      let ours = try await ServerUnderTest(Self.router(FolderFiles(folder, logger: Self.quiet)))
      let theirs = try await ServerUnderTest(
        Self.router(LocalFileSystem(rootFolder: folder, threadPool: .singleton, logger: Self.quiet)))
      let clients = (ours.client(.http3), theirs.client(.http3))
      for path in Self.sizes.keys.sorted() + ["inner", "inner/", "missing", "small.txt/below", "small.txt%00.bin"] {
        // The other provider answers beyond the end of a file, too, with what is not there.
        if range?.hasPrefix("bytes=1000") == true, (Self.sizes[path] ?? 0) <= 1_000 { continue }
        if range != nil, path == "empty.txt" { continue }
        for method in [HTTPRequest.Method.get, .head] {
          var request = HTTPRequest.test(method, "/" + path)
          request.headerFields[.range] = range
          let (our, their) = (try await clients.0.send(request), try await clients.1.send(request))
          // A NUL names no file; the other provider reads the name up to there.
          if path.contains("%00") {
            #expect(our.head.status == .notFound)
            _ = try await (our.body.collect(upTo: 100), their.body.collect(upTo: 2_000))
            continue
          }
          #expect(our.head.status == their.head.status, "\(path)")
          for name in [HTTPField.Name.contentLength, .eTag, .lastModified, .contentType, .contentRange, .location] {
            #expect(our.head.headerFields[name] == their.head.headerFields[name], "\(path)")
          }
          #expect(try await our.body.collect(upTo: 100_000) == their.body.collect(upTo: 100_000), "\(path)")
        }
      }
      await clients.0.close()
      await clients.1.close()
      await ours.shutdown()
      await theirs.shutdown()
    }
  }

  @Test(arguments: [false, true]) func aFileIsWholeAndUpToDate(_ isOnLoop: Bool) async throws {
    try await Self.withFolder(Self.sizes) { folder in
      var options = HTTP3ServerOptions()
      options.runsHandlersOnReceivingThread = isOnLoop
      let server = try await ServerUnderTest(Self.router(FolderFiles(folder, logger: Self.quiet)), http3: options)
      let client = server.client(.http3)
      for (name, size) in Self.sizes {
        let response = try await client.send(.test(.get, "/" + name))
        #expect(try await response.body.collect(upTo: 100_000) == Self.bytes(size))
      }
      try Data("changed".utf8).write(to: URL(fileURLWithPath: folder + "/small.txt"))
      let changed = try await client.send(.test(.get, "/small.txt"))
      #expect(changed.head.headerFields[.contentLength] == "7")
      #expect(try await changed.body.collect(upTo: 100) == Array("changed".utf8))
      try FileManager.default.removeItem(atPath: folder + "/small.txt")
      #expect(try await client.send(.test(.get, "/small.txt")).head.status == .notFound)
      await client.close()
      await server.shutdown()
    }
  }
}
