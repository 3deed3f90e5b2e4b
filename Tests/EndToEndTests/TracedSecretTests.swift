import Foundation
import HTTPTypes
import Logging
import ResolveKitUI
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// The traces of a session of which everything is traced.
@Suite(.timeLimit(.minutes(10)))
struct TracedSecretTests {
  @Test("Invariant 17: neither the API key nor a token of the session is in qlog, a journal or a transcript")
  @MainActor
  func tokensAreInNoTrace() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "traced-\(UUID().uuidString)")
    let qlog = folder.appending(path: "qlog")
    let journal = folder.appending(path: "journal")
    try FileManager.default.createDirectory(at: qlog, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let fixture = try await EndToEndFixture.open()
    var configuration = HTTP3TransportConfiguration()
    configuration.qlogDirectory = qlog.path
    let transport = ListeningTransport(
      HTTP3Transport(
        origin: fixture.origin, tls: fixture.tls, logger: Logger(label: "client"), configuration: configuration))
    let runtime = try fixture.runtime(
      over: transport, journal: ResolveKitJournalConfiguration(folder: ResolveKitJournalFolder(path: journal.path)))
    try await runtime.start()
    #expect(try await !runtime.respond(to: "What time is it?").text.isEmpty)
    let transcript = runtime.messages.map { String(reflecting: $0) }
    await runtime.finish()
    await transport.close()
    await fixture.close()

    let secrets = transport.credentials
    #expect(secrets.contains(EndToEndFixture.apiKey))
    #expect(secrets.count > 1, "a token of the session was sent")
    let files = [qlog, journal].flatMap { folder in
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    }
    let texts = transcript + files.compactMap { try? Data(contentsOf: $0) }.map { String(decoding: $0, as: UTF8.self) }
    #expect(texts.contains { $0.contains("/v1/sessions") }, "the requests are in the trace")
    for secret in secrets {
      #expect(!texts.contains { $0.contains(secret) }, "\(secret) was written")
    }
  }
}

/// A transport that remembers the credentials that go out.
private final class ListeningTransport: HTTPTransport {
  private let inner: any HTTPTransport
  private let heard = Mutex<Set<String>>([])

  init(_ inner: any HTTPTransport) { self.inner = inner }

  var credentials: Set<String> { heard.withLock(\.self) }

  var origin: Origin { inner.origin }
  func connect() async throws -> ConnectionInfo { try await inner.connect() }
  func snapshot() async -> ConnectionSnapshot? { await inner.snapshot() }
  func close() async { await inner.close() }

  func send(_ request: HTTPRequest, body: RequestBody) async throws -> TransportResponse {
    for field in request.headerFields {
      let name = field.name.canonicalName
      guard name == "authorization" || name.contains("token") || name.contains("capability") else { continue }
      let words = field.value.split(separator: " ")
      heard.withLock { _ = $0.insert(words.last.map(String.init) ?? field.value) }
    }
    return try await inner.send(request, body: body)
  }
}
