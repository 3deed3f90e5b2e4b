import Testing

@testable import LatencyReport

@Suite("Ticks and scales")
struct TicksTests {
  @Test(
    "linear ticks are round and few",
    arguments: [
      (0.0, 80.0, 8, ["0", "10", "20", "30", "40", "50", "60", "70", "80"]),
      (0, 1, 5, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
      (-12, 12, 4, ["−10", "0", "10"]), (0, 0.004, 4, ["0.000", "0.001", "0.002", "0.003", "0.004"]),
      (0, 1_400_000, 7, ["0", "200 000", "400 000", "600 000", "800 000", "1 000 000", "1 200 000", "1 400 000"]),
      (4.1, 4.9, 4, ["4.2", "4.4", "4.6", "4.8"]), (5, 5, 4, []), (0, .infinity, 4, []), (.nan, 1, 4, []),
    ])
  func linear(_ low: Double, _ high: Double, _ count: Int, _ labels: [String]) {
    #expect(Ticks.linear(from: low, to: high, count: count).ticks.map(\.label) == labels.map(thin))
  }

  @Test(
    "logarithmic ticks are powers of ten, with 2 and 5 where there is room",
    arguments: [
      (1.0, 100.0, ["1", "2", "5", "10", "20", "50", "100"]), (0.1, 1_000, ["0.1", "1", "10", "100", "1 000"]),
      (0, 10, []), (10, 1, []),
    ])
  func logarithmic(_ low: Double, _ high: Double, _ labels: [String]) {
    #expect(Ticks.logarithmic(from: low, to: high).ticks.map(\.label) == labels.map(thin))
  }

  @Test("each further nine takes the same room")
  func nines() {
    let scale = Scale(.nines, from: 0, to: 0.9999, start: 0, end: 400)
    #expect([0, 0.9, 0.99, 0.999, 0.9999].map { scale.position($0).rounded() } == [0, 100, 200, 300, 400])
    #expect(scale.position(1) == 400)
    #expect(scale.ticks(count: 5).map(\.label) == ["0 %", "50 %", "90 %", "99 %", "99.9 %", "99.99 %"])
  }

  @Test("a scale ends at round numbers and keeps what is outside at its edge")
  func scale() {
    let scale = Scale.round([3, 61], count: 4, start: 10, end: 110)
    #expect([scale.low, scale.high] == [0, 80])
    #expect([-5, 0, 40, 80, 1e9, .infinity, .nan].map(scale.position) == [10, 10, 60, 110, 110, 110, 10])
    #expect(Scale.round([], count: 4, start: 0, end: 1).high == 1)
    #expect(Scale.round([.nan, .infinity], count: 4, start: 0, end: 1).position(0.5) == 0.5)
  }

  @Test(
    "coordinates are short and finite",
    arguments: [
      (0.04, "0"), (1.26, "1.3"), (-0.5, "-0.5"), (12, "12"), (.nan, "0"), (1e30, "100000"), (-.infinity, "0"),
    ])
  func coordinates(_ value: Double, _ text: String) {
    #expect(Coordinate.text(value) == text)
  }

  @Test("a path leaves out what is not seen")
  func path() {
    var path = PathData()
    for x in stride(from: 0.0, to: 0.04, by: 0.01) { path.line(x, 5) }
    path.step(3, 7)
    path.line(3, 9.5)
    #expect(path.text == "M0 5H3V7V9.5")
  }

  private func thin(_ label: String) -> String {
    String(label.map { $0 == " " ? "\u{202F}" : $0 })
  }
}
