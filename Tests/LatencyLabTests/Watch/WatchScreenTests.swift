import Testing

@testable import latency_lab

struct WatchScreenTests {
  /// Two columns of which the right one has fallen silent after 20 words.
  private static func screen() -> WatchScreen {
    let step: Int64 = 20_000_000
    let answers = ["HTTP/2", "HTTP/3, repeats and hedges"].enumerated().map { place, label in
      var answer = WatchedAnswer(label: label, offsets: (0..<200).map { Int64($0) * step }, delay: 0)
      for sequence in 0..<(place == 0 ? 100 : 20) {
        let due = Int64(sequence) * step
        let received = due + (sequence == 7 ? 60_000_000 : 0)
        answer.came(EventArrival(stream: 0, sequence: sequence, scheduled: due, received: received))
      }
      return answer
    }
    return WatchScreen(title: "loss-5", answers: answers, length: 4_000_000_000)
  }

  private static func width(_ line: String) -> Int {
    line.replacing("\u{1b}[7m", with: "").replacing("\u{1b}[27m", with: "").count
  }

  @Test(arguments: [(80, 24), (120, 40), (41, 10), (200, 7), (5, 6), (30, 3), (80, 2)])
  func fitsTheTerminal(_ columns: Int, _ rows: Int) {
    for elapsed in [0, 1, 1_990_000_000, Int64(9e18)] {
      let lines = Self.screen().lines(at: elapsed, columns: columns, rows: rows)
      #expect(lines.count == rows)
      #expect(lines.allSatisfy { Self.width($0) <= columns })
      // The cells line up: the separator is at one place of every row.
      let places = Set(lines.dropFirst().map { Self.width(String($0.prefix { $0 != "│" })) })
      #expect(places.count == 1)
    }
  }

  @Test func showsLatenessAndLagOfEachColumn() {
    let lines = Self.screen().lines(at: 1_990_000_000, columns: 80, rows: 24)
    #expect(lines[0].hasPrefix("loss-5 · 1 of 4 s"))
    #expect(lines[1].contains("HTTP/2") && lines[1].contains("HTTP/3, repeats and hedges"))
    #expect(lines[22].contains("0 words behind") && lines[22].contains("80 words behind"))
    #expect(lines[23].contains("1 of 100 over 50 ms late, worst 60 ms"))
    #expect(lines.contains { $0.contains("\u{1b}[7m\(WatchedText.word(7))\u{1b}[27m") })
  }

  @Test func keepsTheLastLinesOfALongAnswer() {
    let lines = Self.screen().lines(at: 1_990_000_000, columns: 40, rows: 8)
    #expect(lines[4].contains(WatchedText.word(99)))
  }
}
