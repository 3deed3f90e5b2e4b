import Testing

@testable import HTTP3Engine

/// The states of a stream's two halves (RFC 9000 §§ 3.1, 3.2).
@Suite struct StreamHalvesTests {
  private enum Step: CaseIterable {
    case begin, finish, send, sendEnd, reset, stop
  }

  private func half(_ steps: [Step]) -> SendHalf {
    var half = SendHalf()
    for step in steps {
      switch step {
      case .begin: half.begin()
      case .finish: half.finish()
      case .send: half.didSend(isEnd: false)
      case .sendEnd: half.didSend(isEnd: true)
      case .reset: half.reset()
      case .stop: _ = half.stop()
      }
    }
    return half
  }

  @Test func aMessageTakesFieldsThenABodyThenItsEnd() {
    #expect(!half([]).hasFields && !half([]).isOver && !half([]).hasLeft)
    #expect(half([.begin]).hasFields && !half([.begin]).isOver)
    #expect(half([.begin, .finish]).isOver && !half([.begin, .finish]).hasLeft)
    // What is in packets follows in its own time.
    let sent = half([.begin, .send, .finish])
    #expect(sent.isOver && sent.hasLeft && !sent.isEndSent)
    #expect(half([.begin, .send, .finish, .sendEnd]).isEndSent)
  }

  @Test func onlyAMessageThatIsNotOverCanBeStopped() {
    #expect(half([.begin, .stop]).isStopped && half([.begin, .stop]).isOver)
    #expect(half([.stop]).isStopped)
    for steps in [[Step.begin, .finish], [.reset], [.begin, .send, .finish, .sendEnd]] {
      #expect(!half(steps + [.stop]).isStopped)
    }
  }

  /// Nothing leads out of an end.
  @Test func whatIsOverStaysOver() {
    for first in [[Step.reset], [.begin, .stop], [.begin, .finish], [.begin, .finish, .sendEnd]] {
      for second in Step.allCases {
        for third in Step.allCases { #expect(half(first + [second, third]).isOver, "\(first) \(second) \(third)") }
      }
    }
    #expect(!half([.reset, .sendEnd]).isEndSent && half([.stop, .reset]).isStopped)
  }

  @Test func thePeersMessageEndsOnceAndInOneWay() {
    let ways: [(inout ReceiveHalf) -> Bool] = [{ $0.complete() }, { $0.reset() }, { $0.stop() }]
    for (place, way) in ways.enumerated() {
      var half = ReceiveHalf()
      let isEnded = half.isOver
      let first = way(&half)
      #expect(!isEnded && first && half.isOver && half.isReset == (place == 1))
      for other in ways {
        let second = other(&half)
        #expect(!second && half.isReset == (place == 1))
      }
    }
  }
}
