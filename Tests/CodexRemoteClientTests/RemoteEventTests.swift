import ResolveKitCore
import TestSupport
import Testing

@testable import CodexRemoteClient

@Suite struct RemoteEventTests {
  @Test(arguments: [
    "", "null", "[]", "7", "{}", #"{"event":7}"#, #"{"event":"turn_started"}"#,
    #"{"event":"turn_started","payload":{"turn":{"id":""}}}"#, #"{"event":"item_started","payload":{"turnId":"t"}}"#,
    #"{"event":"item_completed","payload":{"turnId":"t","item":{"id":7}}}"#,
    #"{"event":"message_delta","payload":{"turnId":"t","itemId":"i","delta":7}}"#,
    #"{"event":"approval_required","payload":{"id":"a"}}"#,
  ])
  func whatIsNoEventIsRefused(_ text: String) {
    #expect(throws: JSONError.self) { try RemoteEvent(frame: text) }
  }

  @Test func numbersOfAnySizeTrapNothing() throws {
    let frame = #"""
      {"event":"item_completed","payload":{"turnId":"t","item":{"id":"c","type":"commandExecution","command":"x",
      "exitCode":1e300,"status":"completed","durationMs":-1e300}},"timestamp":1e308}
      """#
    guard case .itemCompleted(let item) = try RemoteEvent(frame: frame) else {
      Issue.record("no item")
      return
    }
    #expect(
      RemoteEntry(item, isCompleted: true)?.content == .command(line: "x", folder: nil, exitCode: nil, output: nil))
  }

  @Test func whatIsNotKnownIsPassedOver() throws {
    #expect(try RemoteEvent(frame: #"{"event":"later","payload":{}}"#) == .unknown("later"))
    let frame = #"{"event":"item_completed","payload":{"turnId":"t","item":{"id":"n","type":"novelty"}}}"#
    guard case .itemCompleted(let item) = try RemoteEvent(frame: frame) else {
      Issue.record("no item")
      return
    }
    #expect(RemoteEntry(item, isCompleted: true)?.content == .activity(title: "novelty", detail: nil))
  }

  @Test func damagedFramesTrapNothing() throws {
    let whole = Array(Frames.approval("a").utf8)
    var generator = SeededGenerator(seed: 11)
    for end in whole.indices { _ = try? RemoteEvent(frame: String(decoding: whole[..<end], as: UTF8.self)) }
    for _ in 0..<500 {
      var bytes = whole
      bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: .min ... .max, using: &generator)
      _ = try? RemoteEvent(frame: String(decoding: bytes, as: UTF8.self))
    }
  }
}
