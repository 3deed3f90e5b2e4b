import TestSupport
import Testing

@testable import StreamTransport

@Suite(.timeLimit(.minutes(10))) struct StreamMoveTests {
  @Test func pausesDoubleUpToHalfAMinuteUntilAStreamIsNew() async throws {
    var move = StreamMove<Int>()
    let (pauses, reports) = AsyncStream.makeStream(of: Duration.self)
    let watch: StreamMove<Int>.Watch = { reports.yield($0) }
    var seen = pauses.makeAsyncIterator()
    move.watchNew(watch)
    #expect(await seen.next() == .zero)
    for expected in [1, 2, 4, 8, 16, 30, 30] {
      move.watchAgain(watch)
      #expect(await seen.next() == .seconds(expected))
    }
    move.watchNew(watch)
    #expect(await seen.next() == .zero)
    move.watchAgain(watch)
    #expect(await seen.next() == .seconds(1))
  }

  @Test func oneMoveIsOnItsWayAtATime() async {
    var move = StreamMove<Int>()
    move.improvementCame()
    #expect(move.isDue)
    move.begin { 1 }
    #expect(!move.isDue)
    move.begin { 2 }
    #expect(await move.opening?.value == 1)
    move.end()
    #expect(move.opening == nil)
    move.begin { 3 }
    #expect(await move.opening?.value == 3)
  }

  @Test func aStopCancelsWhatRunsAndForgetsWhatIsDue() async {
    var move = StreamMove<Int>()
    let (ends, end) = AsyncStream.makeStream(of: String.self)
    move.watchNew { _ in
      try? await waitForCancellation()
      end.yield("watch")
    }
    move.begin {
      try? await waitForCancellation()
      end.yield("opening")
      return nil
    }
    move.improvementCame()
    move.stop()
    var names: Set<String> = []
    for await name in ends {
      names.insert(name)
      if names.count == 2 { break }
    }
    #expect(names == ["watch", "opening"])
    #expect(move.opening == nil && !move.isDue)
  }
}
