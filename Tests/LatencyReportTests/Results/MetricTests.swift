import LatencyReport
import Testing

@Suite struct MetricTests {
  @Test func everyMetricHasADistinctLabelAndADefinition() {
    #expect(Set(Metric.allCases.map(\.label)).count == Metric.allCases.count)
    #expect(Metric.allCases.allSatisfy { $0.definition.hasSuffix(".") && $0.definition.count > 20 })
    #expect(Metric.allCases.filter { !$0.isLowerBetter } == [.goodput])
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (0.000_2, "0"), (0.04, "0.04"), (0.123_4, "0.123"), (1, "1"), (2.346, "2.35"),
    (9.996, "10"),
    (35.12, "35.1"), (99.96, "100"), (150.4, "150"), (1234.5, "1 234"), (1_234_567, "1 234 567"), (-1234, "-1 234"),
    (-35.12, "-35.1"), (.infinity, "∞"), (-.infinity, "-∞"), (.nan, "-"),
  ])
  func numbersHaveAboutThreeDigits(_ row: (value: Double, text: String)) {
    #expect(Metric.number(row.value) == row.text)
  }

  @Test func aValueHasItsUnit() {
    #expect(Metric.excessP95.text(35.12) == "35.1 ms")
    #expect(Metric.late100.text(0.25) == "0.25 %")
    #expect(Metric.stalls200.text(3) == "3")
    #expect(Metric.recoveryP50.text(1.5) == "1.5 RTT")
    #expect(Metric.goodput.text(9.333) == "9.33 Mbit/s")
  }
}
