import EventStream
import ResolveKitCore
import Testing

@testable import CodexWorkersClient

/// SSE parser and cursor advancement
struct WorkerFrameTests {
  private func frames(_ text: String, chunk: Int) throws -> [WorkerFrame] {
    var parser = EventStreamParser()
    var frames: [WorkerFrame] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      for case .event(let event) in try parser.parse(Array(bytes[start..<min(start + chunk, bytes.count)])) {
        frames += WorkerFrame.frames(of: event, worker: ScriptedRuntime.worker, requestID: nil)
      }
    }
    return frames
  }

  private func text(_ sequence: Int64) -> String {
    String(decoding: ScriptedRuntime.frame(WatchScript.event(sequence)), as: UTF8.self)
  }

  @Test(arguments: [1, 2, 7, 64, 10_000])
  func framesAreReadHoweverTheyArrive(chunk: Int) throws {
    #expect(
      try frames(text(1) + text(2), chunk: chunk) == [.event(WatchScript.event(1)), .event(WatchScript.event(2))])
  }

  @Test(arguments: [1, 9, 10_000])
  func anIDLineAfterDataIsAFrameBoundary(chunk: Int) throws {
    let open = String(text(4).dropLast(1))
    #expect(try frames(open + text(5), chunk: chunk) == [.event(WatchScript.event(4)), .event(WatchScript.event(5))])
  }

  @Test func aTornFrameIsLeftOutAndTheNextOneIsRead() throws {
    for length in 1..<text(4).utf8.count - 2 {
      let torn = String(text(4).prefix(length))
      let found = try frames(torn + text(4) + text(5), chunk: 10_000)
      // Where the tear is in the middle of a line the next frame's first line may go with it; nothing is made up.
      #expect(found.suffix(1) == [.event(WatchScript.event(5))])
      #expect(found.allSatisfy { $0 == .event(WatchScript.event(4)) || $0 == .event(WatchScript.event(5)) })
    }
  }

  @Test func anErrorEventIsAFailedPoll() throws {
    let text = """
      event: error
      data: {"error":{"code":"runtime_codex_stream_failed","message":"runtime codex stream returned HTTP 502"}}


      """
    guard case .failure(let error)? = try frames(text, chunk: 10_000).first else {
      Issue.record("no failure")
      return
    }
    #expect(error.code == .unavailable)
    #expect(error.status == 502)
    #expect(error.serverCode == "runtime_codex_stream_failed")
  }

  @Test(arguments: [
    "id: 1\ndata: {}\n\n", "data: null\n\n", "data: [1]\n\n", "data: {\"seq\":1.5,\"eventType\":\"worker.event\"}\n\n",
    "data: {\"seq\":-1,\"eventType\":\"worker.event\"}\n\n", "data: {\"seq\":1e300,\"eventType\":\"worker.event\"}\n\n",
    "data: {\"workerId\":\"another\",\"seq\":1,\"eventType\":\"worker.event\"}\n\n",
  ])
  func whatIsNoEventOfThisWorkerIsNothing(_ text: String) throws {
    #expect(try frames(text, chunk: 10_000).isEmpty)
  }
}
