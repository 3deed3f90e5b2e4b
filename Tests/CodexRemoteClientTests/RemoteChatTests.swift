import HTTPTypes
import Logging
import StreamTransport
import TestSupport
import Testing

@testable import CodexRemoteClient

/// The object that an app holds of a chat: it is opened and closed as often as the app comes and goes.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct RemoteChatTests {
  private let transport = ScriptedTransport { received in
    let path = received.request.path ?? ""
    func answer(_ text: String, _ kind: String, _ end: [ScriptedTransport.Step]) -> ScriptedTransport.Answer {
      .response(
        HTTPResponse(status: .ok, headerFields: [.contentType: kind]), [.bytes(Array(text.utf8))] + end)
    }
    if path.hasPrefix("/v1/stream") {
      let turn = [Frames.turnStarted("t1"), Frames.message("t1", "m", "Here."), Frames.turnCompleted("t1")]
      let events = turn.enumerated().map { "id: \($0.offset + 1)\ndata: \($0.element)\n\n" }.joined()
      return answer(events, "text/event-stream", [])
    }
    let json =
      path.contains("/timeline")
      ? Frames.timeline(cursor: 0, turn: "t1") : #"{"data":{"chatId":"c","turnId":"t2","mode":"started"}}"#
    return answer(json, "application/json", [.end])
  }

  private var chat: RemoteChat {
    let host = RemoteHost(
      origin: Origin(scheme: .https, host: "script.test", port: 443), fingerprint: nil, deviceID: "d",
      credential: RemoteCredential(token: "one"))
    let client = RemoteClient(
      host: host, store: nil, transport: transport, clock: TransportClock(InstantClock()), now: { 0 },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    return RemoteChat(client: client, chatID: "c")
  }

  private var posts: Int { transport.requests.count { $0.request.path?.hasSuffix("/messages") ?? false } }

  private func read(_ updates: RemoteUpdates, until isMeant: (RemoteUpdate) -> Bool) async {
    for await update in updates where isMeant(update) { return }
    Issue.record("the updates ended before what was meant")
  }

  @Test func aChatThatWasClosedIsOpenedAgain() async {
    let chat = chat
    let first = chat.updates()
    await chat.open()
    await read(first) { if case .turnEnded = $0 { true } else { false } }
    await chat.close()
    for await _ in first {}
    #expect(chat.state.link == .idle && chat.state.entries.count == 1)
    // What is said meanwhile waits.
    await chat.send("hello")
    #expect(await chat.currentState().outgoing.map(\.isPending) == [true])
    #expect(posts == 0)
    let second = chat.updates()
    await chat.open()
    await read(second) {
      if case .message(let message) = $0, case .delivered = message.delivery { true } else { false }
    }
    #expect(posts == 1)
    while !(await chat.currentState().isCurrent) { await Task.yield() }
    #expect(await chat.currentState().entries.map(\.content) == [.message(role: .assistant, text: "Here.")])
    await chat.close()
    #expect(chat.state.link == .idle)
  }

  @Test func openingAndClosingInAnyOrderLeavesWhatCameLast() async {
    let chat = chat
    for _ in 0..<20 {
      async let closed: Void = chat.close()
      async let opened: Void = chat.open()
      async let again: Void = chat.close()
      _ = await (closed, opened, again)
    }
    await chat.open()
    let updates = chat.updates()
    await chat.close()
    for await _ in updates {}
    #expect(chat.state.link == .idle)
    let last = chat.updates()
    await chat.open()
    await read(last) { if case .turnEnded = $0 { true } else { false } }
    await chat.close()
  }
}
