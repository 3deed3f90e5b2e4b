import Foundation
import ResolveKitCore
import SessionSupport
import Testing

@testable import ResolveKitTerminal

@Suite(.timeLimit(.minutes(10)))
@MainActor
struct MessageAttachmentsTests {
  @Test func aTextFileIsACodeBlockBehindTheMessage() throws {
    var attachments = MessageAttachments()
    #expect(attachments.message("look") == "look")
    try attachments.add("a.txt", Array("one\ntwo".utf8))
    try attachments.add("b.md", Array("```\ncode\n```\n".utf8))
    #expect(attachments.names == ["a.txt", "b.md"])
    #expect(
      attachments.message("look")
        == "look\n\na.txt:\n```\none\ntwo\n```\n\nb.md:\n````\n```\ncode\n```\n````")
    attachments.removeAll()
    #expect(attachments.message("look") == "look" && attachments.names.isEmpty)
  }

  @Test(arguments: [
    (bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D] as [UInt8], reason: "is a picture (PNG)"),
    ([0xFF, 0xD8, 0xFF, 0xE0], "is a picture (JPEG)"), (Array("GIF89a".utf8), "is a picture (GIF)"),
    ([0xFF, 0xFE, 0x41], "is no text in UTF-8"), ([0x41, 0x00, 0x42], "is no text in UTF-8"),
  ])
  func whatIsNoTextIsRefusedWithTheReason(_ row: (bytes: [UInt8], reason: String)) {
    var attachments = MessageAttachments()
    let refusal = #expect(throws: MessageAttachments.Refusal.self) { try attachments.add("x", row.bytes) }
    #expect(refusal?.description.hasPrefix("x \(row.reason)") == true)
    #expect(attachments.names.isEmpty)
  }

  @Test func aFileThatNoMessageHasRoomForIsRefused() {
    var attachments = MessageAttachments()
    let bytes = [UInt8](repeating: 0x61, count: MessageSendRequest.maximumTextBytes + 1)
    let refusal = #expect(throws: MessageAttachments.Refusal.self) { try attachments.add("x", bytes) }
    #expect(refusal?.description == "x has 32769 bytes; a message has 32768 at most")
  }

  @Test func aTextFileIsSentAlongWithOneMessageAndAPictureIsNot() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "attach-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("first line\n".utf8).write(to: folder.appending(path: "notes.txt"))
    try (Data([0x89, 0x50, 0x4E, 0x47]) + Data(count: 100_000)).write(to: folder.appending(path: "photo.png"))
    let server = ContractServer(onMessage: { server, turn, request, _ in
      server.append(turn: turn, request: request, type: "turn_complete", payload: ["full_text": "seen"])
    })
    let input = ScriptedInput(
      [
        "/attach \(folder.path)/photo.png", "/attach \(folder.path)/absent", "/attach \(folder.path)/notes.txt", "look",
        "and now", "/attach",
      ])
    let view = ResolveKitTerminalView(
      runtime: Conversation(server: server).runtime(),
      configuration: ResolveKitTerminalConfiguration(environment: [:]),
      renderer: TerminalRenderer(style: .plain, statusStyle: .plain), input: input)
    _ = await view.run()
    #expect(input.output.contains("photo.png is a picture (PNG); a message is text alone"))
    #expect(input.output.contains("absent cannot be opened"))
    #expect(input.output.contains("[notes.txt goes with the next message]"))
    #expect(input.output.contains("[no file goes with the next message]"))
    let texts = server.bodies(of: "POST /v1/sessions/s1/messages").map { $0.objectValue?["text"]?.stringValue }
    #expect(texts == ["look\n\nnotes.txt:\n```\nfirst line\n```", "and now"])
  }
}
