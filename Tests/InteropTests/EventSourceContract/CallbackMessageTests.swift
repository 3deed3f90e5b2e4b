import EventStream
import Foundation
import StreamTransport
import Testing

@testable import sse_contract_service

@Suite struct CallbackMessageTests {
  @Test(arguments: [
    (
      CallbackMessage.event(type: "put", data: "a\n/\"é", id: "1"),
      #"{"event":{"data":"a\n/\"é","id":"1","type":"put"},"kind":"event"}"#
    ),
    (.event(type: "message", data: "", id: ""), #"{"event":{"data":"","type":"message"},"kind":"event"}"#),
    (.comment(" hi"), #"{"comment":" hi","kind":"comment"}"#),
    (.error("lost"), #"{"comment":"lost","error":"lost","kind":"error"}"#),
  ])
  func isWrittenAsTheHarnessReadsIt(message: CallbackMessage, json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(String(decoding: try encoder.encode(message), as: UTF8.self) == json)
  }

  @Test func anEventCarriesTheLastIDThatTheStreamCommitted() {
    let event = ServerSentEvent(type: "greeting", data: "x", lastEventID: "abc")
    #expect(
      CallbackMessage(.event(event, arrivedAt: 0)) == .event(type: "greeting", data: "x", id: "abc"))
    #expect(CallbackMessage(.comment("c")) == .comment("c"))
  }

  @Test(arguments: [EventSourceError.idle(.seconds(1)), .transport(TransportError(.connectionLost, "It broke."))])
  func aLossIsAnError(reason: EventSourceError) {
    #expect(
      CallbackMessage(.disconnected(reason: reason, isClean: false, retryIn: .zero)) == .error(reason.description))
  }

  @Test(arguments: [
    EventSourceUpdate.connecting(attempt: 1), .idCommitted("1"),
    .disconnected(reason: .ended, isClean: true, retryIn: .zero),
    .disconnected(reason: .restarted, isClean: false, retryIn: .zero),
  ])
  func whatHasNotChangedIsNotReported(update: EventSourceUpdate) {
    #expect(CallbackMessage(update) == nil)
  }
}
