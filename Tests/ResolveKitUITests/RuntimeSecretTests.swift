import Foundation
import Logging
import ResolveKitUI
import SessionSupport
import Synchronization
import Testing

/// Secrets that were given stay where they were given.
@Suite(.timeLimit(.minutes(10)))
@MainActor
struct RuntimeSecretTests {
  private final class Lines: Sendable {
    private let state = Mutex<[String]>([])

    var all: [String] { state.withLock(\.self) }

    func add(_ line: String) { state.withLock { $0.append(line) } }
  }

  private struct Handler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    let lines: Lines

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      lines.add("\(metadata) \(event.metadata ?? [:]) \(event.message)")
    }
  }

  @Test("Invariant 17: no secret that was given is in a log, an error, an update, the transcript or a journal")
  func secretsStayWhereTheyWereGiven() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "secrets-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let secrets = ["rk_sesame", "capability-1", "capability-2", "ann:", "pass-word", "query-key"]
    let server = ContractServer(
      apiKey: secrets[0],
      onMessage: { server, turn, request, text in
        if text == "tool" { return server.requestCall(turn: turn, request: request, tool: "throws", key: "secret") }
        server.appendRaw(type: "assistant_text_delta", data: "{nonsense")
        server.streamAnswer(turn: turn, request: request, ["ok"])
      },
      onToolResult: { server, _ in server.streamAnswer(turn: "t2", request: "", ["ok"]) })
    let lines = Lines()
    let logger = Logger(label: "test") { _ in Handler(lines: lines) }
    let runtime = Conversation(
      server: server, apiKey: secrets[0],
      configure: { configuration in
        configuration.logger = logger
        configuration.baseURL = URL(string: "https://ann:pass-word@agent.test?key=query-key") ?? configuration.baseURL
        configuration.journal = ResolveKitJournalConfiguration(folder: ResolveKitJournalFolder(path: folder.path))
      }
    ).runtime()
    let updates = runtime.updates()
    try await runtime.start()
    _ = try await runtime.respond(to: "hello")
    _ = try await runtime.respond(to: "tool")
    // Of a renewed token, and then of refusals of all kinds.
    server.answer(
      "GET /v1/sessions/s1/events", with: [(403, #"{"detail":{"code":"chat_unavailable","message":"no"}}"#)])
    await server.close()
    for await case .connection(let connection) in updates where connection.state == .reconnected { break }
    server.answer("POST /v1/sessions/s1/messages", with: [(422, #"{"detail":"odd"}"#)])
    var errors: [String] = []
    do { _ = try await runtime.respond(to: "odd") } catch { errors.append(String(reflecting: error)) }
    let refusal = Array(repeating: (401, #"{"detail":"Invalid client token"}"#), count: 2)
    server.answer("POST /v1/sessions/s1/messages", with: refusal)
    server.answer("POST /v1/sessions", with: refusal)
    do { _ = try await runtime.respond(to: "refused") } catch { errors.append(String(reflecting: error)) }
    await runtime.finish()
    for await update in updates { lines.add("\(update)") }
    #expect(errors.count == 2 && lines.all.count > 20)
    var texts = lines.all + errors + runtime.executionLog + runtime.messages.map(\.text) + [runtime.lastError ?? ""]
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.isEmpty)
    for name in names {
      let data = try Data(contentsOf: folder.appending(path: name))
      texts += [name, String(decoding: data, as: UTF8.self)]
    }
    for secret in secrets {
      let found = texts.filter { $0.contains(secret) }
      #expect(found.isEmpty, "\(secret) is in \(found)")
    }
  }
}
