import EventStream
import Foundation
import Testing

@testable import h3get

struct H3GetEventLinesTests {
  private func arrival(_ milliseconds: Int = 1) -> ArrivalTime {
    ArrivalTime(sinceRequest: .milliseconds(milliseconds), monotonicNanoseconds: 18_446_744_073_709_551_615)
  }

  /// The lines of a stream that comes in chunks of so many bytes, and why it was cut.
  private func read(_ stream: String, inChunksOf size: Int = .max) throws -> (text: [String], truncation: String?) {
    var lines = EventLines()
    var text: [String] = []
    var rest = Array(stream.utf8)[...]
    while !rest.isEmpty {
      try lines.receive(Array(rest.prefix(size)), at: arrival()) { text.append($0) }
      rest = rest.dropFirst(size)
    }
    return (text, lines.truncation)
  }

  @Test(arguments: [Int.max, 20, 1]) func eachThingThatAStreamSaysIsALine(size: Int) throws {
    let stream = """
      : hello
      retry: 3000
      id: 7
      event: note
      data: two "lines"
      data: \u{7}and a / bell

      what: ever
      data

      id: 8


      """
    let prefix = #""at_ms":1.0,"at_ns":18446744073709551615"#
    let (text, truncation) = try read(stream, inChunksOf: size)
    #expect(
      text
        == [
          #"{"kind":"comment",\#(prefix),"comment":"hello"}"#,
          #"{"kind":"retry",\#(prefix),"retry":3000}"#,
          #"{"kind":"event",\#(prefix),"id":"7","event":"note","data":"two \"lines\"\n\u0007and a / bell"}"#,
          #"{"kind":"field",\#(prefix),"name":"what","value":"ever"}"#,
          #"{"kind":"event",\#(prefix),"id":"7","event":"message","data":""}"#,
          #"{"kind":"id",\#(prefix),"id":"8"}"#,
        ].map { $0 + "\n" })
    #expect(truncation == nil)
  }

  struct Ending: CustomTestStringConvertible {
    var name: String
    var stream: String
    /// A part of the reason why it counts as cut; nil for a whole stream.
    var truncation: String?
    var testDescription: String { name }
  }

  private static let chunk = #"data: {"object":"chat.completion.chunk","choices":[]}"# + "\n\n"

  @Test(arguments: [
    Ending(name: "nothing", stream: ""),
    Ending(name: "plain", stream: "data: x\n\n"),
    Ending(name: "plain with a comment", stream: "data: x\n\n: bye\n"),
    Ending(name: "plain in mid event", stream: "data: x\n\ndata: y\n", truncation: "in the middle"),
    Ending(name: "plain in mid line", stream: "data: x\n\nda", truncation: "in the middle"),
    Ending(name: "plain in mid id", stream: "data: x\n\nid: 7\n", truncation: "in the middle"),
    Ending(name: "chat", stream: chunk + "data: [DONE]\n\n"),
    Ending(name: "chat, and more", stream: chunk + "data: [DONE]\n\ndata: y"),
    Ending(name: "chat cut", stream: chunk + chunk, truncation: "[DONE]"),
    Ending(name: "text cut", stream: "data: {\"object\":\"text_completion\"}\n\n", truncation: "[DONE]"),
    Ending(name: "other JSON", stream: "data: {\"object\":\"list\"}\n\n"),
    Ending(name: "response", stream: "event: response.created\ndata: {}\n\nevent: response.completed\ndata: {}\n\n"),
    Ending(
      name: "response failed", stream: "event: response.created\ndata: {}\n\nevent: response.failed\ndata: {}\n\n"),
    Ending(name: "response cut", stream: "event: response.created\ndata: {}\n\n", truncation: "response.completed"),
    Ending(name: "message", stream: "event: message_start\ndata: {}\n\nevent: message_stop\ndata: {}\n\n"),
    Ending(name: "message cut", stream: "event: message_start\ndata: {}\n\n", truncation: "message_stop"),
  ]) func aCutStreamIsReported(ending: Ending) throws {
    for size in [Int.max, 1] {
      let truncation = try read(ending.stream, inChunksOf: size).truncation
      if let part = ending.truncation {
        #expect(truncation?.contains(part) == true, "\(truncation ?? "whole")")
      } else {
        #expect(truncation == nil)
      }
    }
  }

  @Test func nothingIsReadBehindDone() throws {
    #expect(try read("data: [DONE]\n\ndata: x\n\n").text.count == 1)
  }

  @Test func whatPassesALimitEndsTheStreamBehindTheEventsBeforeIt() throws {
    var lines = EventLines()
    var count = 0
    #expect(throws: EventStreamError.self) {
      let id = String(repeating: "x", count: EventStreamLimits().id + 1)
      try lines.receive(Array("data: x\n\nid: \(id)\n\n".utf8), at: arrival()) { _ in count += 1 }
    }
    #expect(count == 1)
  }

  @Test func gapsAreSummedUpByNearestRank() {
    var times = EventTimes()
    #expect(times.summary == "no event" && times.medianGap == nil)
    times.add(.milliseconds(5))
    #expect(times.summary == "1 event, the first after 5.0 ms")
    // Gaps of 1 to 100 ms.
    var moment = 5
    for gap in 1...100 {
      moment += gap
      times.add(.milliseconds(moment))
    }
    #expect(times.count == 101 && times.first == .milliseconds(5))
    #expect(times.medianGap == .milliseconds(50) && times.p99Gap == .milliseconds(99))
    #expect(times.summary == "101 events, the first after 5.0 ms; gaps: median 50.0 ms, p99 99.0 ms")
  }
}
