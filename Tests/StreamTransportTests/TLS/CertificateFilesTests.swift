import Foundation
import Logging
import StreamTransport
import Synchronization
import Testing

/// Certificates in files that change.
@Suite(.timeLimit(.minutes(10)))
struct CertificateFilesTests {
  private struct Mismatch: Error {}

  /// Takes a certificate and its key where both say the same, as a server does.
  private final class Server: Sendable {
    private let state = Mutex<(uses: [String], attempts: Int)>(([], 0))
    var uses: [String] { state.withLock { $0.uses } }
    var attempts: Int { state.withLock { $0.attempts } }

    @Sendable func use(_ identities: [ServerIdentity]) throws {
      try state.withLock { state in
        state.attempts += 1
        for identity in identities
        where identity.certificatePEM != identity.privateKeyPEM || identity.certificatePEM.isEmpty {
          throw Mismatch()
        }
        state.uses.append(
          identities.map {
            $0.certificatePEM + ($0.ocspResponse.map { " " + String(decoding: $0, as: UTF8.self) } ?? "")
          }
          .joined(separator: ","))
      }
    }
  }

  private let folder = FileManager.default.temporaryDirectory.appending(path: "certificate-files-\(UUID().uuidString)")
    .path
  private let server = Server()

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write("1", to: "certificate.pem", "key.pem")
  }

  private func remove() { try? FileManager.default.removeItem(atPath: folder) }

  private func files() -> CertificateFiles {
    CertificateFiles(
      certificate: folder + "/certificate.pem", privateKey: folder + "/key.pem",
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// Replaces files, each by a rename.
  private func write(_ text: String, to names: String...) throws {
    for name in names { try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"), options: .atomic) }
  }

  @Test func filesThatDoNotChangeAreNotRead() async throws {
    defer { remove() }
    let files = files()
    #expect(try files.read() == [ServerIdentity(certificatePEM: "1", privateKeyPEM: "1")])
    for _ in 0..<3 { await files.check(server.use) }
    #expect(server.attempts == 0)
  }

  @Test func otherAuthoritiesOfClientsAreAChange() async throws {
    defer { remove() }
    try write("a", to: "clients.pem")
    let files = CertificateFiles(
      certificate: folder + "/certificate.pem", privateKey: folder + "/key.pem",
      clientAuthorities: folder + "/clients.pem", logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    #expect(try files.readClientAuthorities() == "a")
    await files.check(server.use)
    #expect(server.attempts == 0)
    try write("b", to: "clients.pem")
    let taken = Mutex("")
    let take: @Sendable ([ServerIdentity]) throws -> Void = { _ in
      let authorities = try files.readClientAuthorities()
      taken.withLock { $0 += authorities ?? "none" }
    }
    for _ in 0..<3 { await files.check(take) }
    #expect(taken.withLock { $0 } == "b")
    try FileManager.default.removeItem(atPath: folder + "/clients.pem")
    #expect(throws: TransportError.self) { try files.readClientAuthorities() }
    #expect(try self.files().readClientAuthorities() == nil)
  }

  @Test func aRenameIsAChange() async throws {
    defer { remove() }
    let files = files()
    try write("2", to: "certificate.pem", "key.pem")
    for _ in 0..<3 { await files.check(server.use) }
    #expect(server.uses == ["2"] && server.attempts == 1)
  }

  @Test func otherBytesInTheSameFileAreAChange() async throws {
    defer { remove() }
    let files = files()
    for name in ["certificate.pem", "key.pem"] {
      let file = try #require(FileHandle(forWritingAtPath: "\(folder)/\(name)"))
      try file.seekToEnd()
      try file.write(contentsOf: Data("1".utf8))
      try file.close()
    }
    await files.check(server.use)
    #expect(server.uses == ["11"])
  }

  /// As Kubernetes mounts a secret: the files are links into a folder that is itself a link, which alone is replaced.
  @Test func aLinkToAnotherFolderIsAChange() async throws {
    defer { remove() }
    let manager = FileManager.default
    for name in ["1", "2"] {
      try manager.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
      try write(name, to: "\(name)/certificate.pem", "\(name)/key.pem")
    }
    try manager.createSymbolicLink(atPath: "\(folder)/data", withDestinationPath: "1")
    for name in ["certificate.pem", "key.pem"] {
      try manager.removeItem(atPath: "\(folder)/\(name)")
      try manager.createSymbolicLink(atPath: "\(folder)/\(name)", withDestinationPath: "data/\(name)")
    }
    let files = files()
    try manager.createSymbolicLink(atPath: "\(folder)/new", withDestinationPath: "2")
    #expect(rename("\(folder)/new", "\(folder)/data") == 0)
    for _ in 0..<3 { await files.check(server.use) }
    #expect(server.uses == ["2"])
  }

  /// A pair is replaced one file after the other; what is there between the two is refused once.
  @Test(arguments: [["certificate.pem", "key.pem"], ["key.pem", "certificate.pem"]])
  func aHalfThatIsReplacedWaitsForTheOther(_ order: [String]) async throws {
    defer { remove() }
    let files = files()
    try write("2", to: order[0])
    for _ in 0..<3 { await files.check(server.use) }
    #expect(server.uses.isEmpty && server.attempts == 1)
    try write("2", to: order[1])
    await files.check(server.use)
    #expect(server.uses == ["2"])
  }

  @Test func filesThatAreGoneOrEmptyForAWhileAreRefused() async throws {
    defer { remove() }
    let files = files()
    try FileManager.default.removeItem(atPath: folder + "/key.pem")
    for _ in 0..<3 { await files.check(server.use) }
    #expect(server.attempts == 0)
    try write("", to: "certificate.pem", "key.pem")
    for _ in 0..<3 { await files.check(server.use) }
    #expect(server.attempts == 1)
    try write("2", to: "certificate.pem", "key.pem")
    await files.check(server.use)
    #expect(server.uses == ["2"])
  }

  @Test func aFileWithoutEndIsRefused() async throws {
    defer { remove() }
    let files = files()
    try write(String(repeating: "x", count: 2 << 20), to: "certificate.pem", "key.pem")
    await files.check(server.use)
    #expect(server.attempts == 0)
    #expect(throws: TransportError.self) { try files.read() }
  }

  /// Opening a pipe to read it would wait for its writer.
  @Test func aPipeHoldsUpNobody() async throws {
    defer { remove() }
    try FileManager.default.removeItem(atPath: folder + "/key.pem")
    #expect(mkfifo(folder + "/key.pem", 0o600) == 0)
    let files = files()
    await files.reload(server.use)
    await files.check(server.use)
    #expect(server.uses.isEmpty)
  }

  @Test func reloadingReadsWhatHasNotChanged() async throws {
    defer { remove() }
    let files = files()
    await files.reload(server.use)
    #expect(server.uses == ["1"])
    try write("2", to: "certificate.pem", "key.pem")
    await files.reload(server.use)
    await files.check(server.use)
    #expect(server.uses == ["1", "2"])
    // What a reload refuses is tried once more, as its server may just not run yet.
    try write("3", to: "key.pem")
    await files.reload(server.use)
    for _ in 0..<3 { await files.check(server.use) }
    #expect(server.attempts == 4)
  }

  /// An OCSP response that appears, changes or goes is a change; one that is too large keeps no certificate out.
  @Test func anOCSPResponseLiesBesideItsCertificate() async throws {
    defer { remove() }
    let files = files()
    try write("good", to: "certificate.pem.ocsp")
    await files.check(server.use)
    try write("better", to: "certificate.pem.ocsp")
    await files.check(server.use)
    try write(String(repeating: "x", count: 20_000), to: "certificate.pem.ocsp")
    await files.check(server.use)
    try FileManager.default.removeItem(atPath: folder + "/certificate.pem.ocsp")
    for _ in 0..<3 { await files.check(server.use) }
    #expect(server.uses == ["1 good", "1 better", "1", "1"])
  }

  /// Several pairs are used, or refused, as one.
  @Test func oneBadPairKeepsAllOut() async throws {
    defer { remove() }
    try write("a", to: "other.pem", "other-key.pem")
    let files = CertificateFiles(
      [
        .init(certificate: folder + "/certificate.pem", privateKey: folder + "/key.pem"),
        .init(certificate: folder + "/other.pem", privateKey: folder + "/other-key.pem"),
      ], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    try write("2", to: "certificate.pem", "key.pem")
    try write("b", to: "other.pem")
    for _ in 0..<3 { await files.check(server.use) }
    #expect(server.uses.isEmpty && server.attempts == 1)
    try write("b", to: "other-key.pem")
    for _ in 0..<3 { await files.check(server.use) }
    #expect(server.uses == ["2,b"])
  }

  @Test func watchingEndsWithItsTask() async throws {
    defer { remove() }
    let files = files()
    try write("2", to: "certificate.pem", "key.pem")
    let (used, sink) = AsyncStream<String>.makeStream()
    let watch = Task { await files.watch(every: .zero) { sink.yield($0[0].certificatePEM) } }
    for await certificate in used {
      #expect(certificate == "2")
      break
    }
    watch.cancel()
    await watch.value
  }
}
