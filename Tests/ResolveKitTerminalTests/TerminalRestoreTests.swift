import Foundation
import ResolveKitCore
import ResolveKitNetworking
import ResolveKitTerminal
import ResolveKitUI
import SessionSupport
import TestSupport
import Testing

/// A conversation in the terminal that continues where an earlier process left it.
@Suite(.timeLimit(.minutes(10)))
@MainActor
struct TerminalRestoreTests {
  /// A turn that an earlier process left ends with the connection, and nothing more is sent: the reason is shown, once.
  @Test func whereTheRestoredTurnEndsTheConnectionItsReasonIsShownLast() async throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "terminal-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    let server = ContractServer()
    let configure: @Sendable (inout ResolveKitConfiguration) -> Void = {
      $0.journal = ResolveKitJournalConfiguration(folder: ResolveKitJournalFolder(path: home.path), resumption: .latest)
    }
    let (posted, gate) = (Gate(), Gate())
    server.hold("POST /v1/sessions/s1/messages", until: gate) { posted.open() }
    let first = Conversation(server: server, configure: configure).runtime()
    try await first.start()
    await first.sendMessage("left")
    await posted.wait()
    // What is on the disk when the process is killed.
    let copy = home.appendingPathExtension("copy")
    defer { try? FileManager.default.removeItem(at: copy) }
    try FileManager.default.copyItem(at: home, to: copy)
    gate.open()
    await first.finish()

    server.answer("POST /v1/sessions/s1/messages", with: [(426, #"{"detail":"too old"}"#)])
    let input = ScriptedInput([])
    let next = Conversation(
      server: server,
      configure: {
        $0.journal = ResolveKitJournalConfiguration(
          folder: ResolveKitJournalFolder(path: copy.path), resumption: .latest)
      })
    let view = ResolveKitTerminalView(
      runtime: next.runtime(), configuration: ResolveKitTerminalConfiguration(environment: [:]),
      renderer: TerminalRenderer(style: .plain, statusStyle: .plain), input: input)
    let ending = await view.run(message: "next")
    #expect(ending == .blocked)
    #expect(input.output.contains("Update the SDK"), "\(input.output)")
    #expect(!input.output.contains("There is no connection"), "\(input.output)")
    let texts = server.bodies(of: "POST /v1/sessions/s1/messages").compactMap { $0.objectValue?["text"]?.stringValue }
    #expect(!texts.contains("next"))
  }
}
