import LinkModel
import Testing

@testable import LatencyReport

@Suite("Texts of documents")
struct TextTests {
  @Test(
    "numbers have the places asked for, groups of three and a real minus",
    arguments: [
      (0.0, 1, "0.0"), (-0.04, 1, "0.0"), (-1.26, 1, "−1.3"), (999.96, 1, "1 000.0"), (1_234_567, 0, "1 234 567"),
      (.nan, 1, "–"), (.infinity, 0, "∞"), (3, -4, "3"),
    ])
  func numbers(_ value: Double, _ decimals: Int, _ text: String) {
    #expect(NumberText.fixed(value, decimals: decimals).replacing("\u{202F}", with: " ") == text)
  }

  @Test(
    "a column has one number of places",
    arguments: [
      ([1, 2, 300], 0), ([1.5, 45.12], 1), ([1.234], 2), ([0.0123], 3), ([1_500.5, 0.1], 0), ([], 0), ([.nan, 2], 0),
    ])
  func decimals(_ values: [Double], _ decimals: Int) {
    #expect(NumberText.decimals(for: values) == decimals)
  }

  @Test("markup is escaped, and what no document may hold is replaced")
  func escaping() {
    #expect(XMLText.escaped("<a b='c'>&\"") == "&lt;a b=&#39;c&#39;&gt;&amp;&quot;")
    #expect(XMLText.escaped("a\u{0}\u{1B}\u{202E}\u{FFFF}é🚀\n") == "a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}é🚀\n")
    #expect(
      Markup.element("p", ["title": "\"<"], "a & \("<b>")").source == "<p title=\"&quot;&lt;\">a &amp; &lt;b&gt;</p>")
  }

  @Test(
    "Markdown shows text as it is",
    arguments: [
      ("a|b", "a\\|b"), ("[x](y)", "[x\\](y)"), ("x86_64", "x86_64"), ("_it_", "\\_it\\_"), ("<b>", "\\<b>"),
      ("1.5 [1, 2]", "1.5 [1, 2]"), ("> 100 ms", "\\> 100 ms"), ("a\nb", "a b"), ("&lt;", "\\&lt;"), ("`x`", "\\`x\\`"),
    ])
  func markdown(_ text: String, _ escaped: String) {
    #expect(MarkdownText.escaped(text) == escaped)
  }

  @Test("a fence is longer than any in its code")
  func fence() {
    #expect(MarkdownText.block("a ```` b").hasPrefix("`````sh\n"))
    #expect(MarkdownText.block("a").hasPrefix("```sh\n"))
  }

  @Test("words come back from a shell as they were")
  func shell() {
    #expect(ShellText.line(["a", "b c", "it's", "", "--x=1,2"]) == "a 'b c' 'it'\\''s' '' --x=1,2")
  }

  @Test("a number stays with its unit")
  func prose() {
    #expect(
      ProseText.bound("by 38.8 ms (95 % interval), ± 1 ms.")
        == "by 38.8\u{A0}ms (95\u{A0}% interval), ±\u{A0}1\u{A0}ms.")
    #expect(ProseText.bound("the s and %") == "the s and %")
  }

  @Test("terminal text has plain spaces and a plain minus, and breaks words that are too long")
  func plainText() {
    #expect(PlainText.wrapped("−1\u{202F}000\u{A0}ms \u{1B}[1m", width: 80) == ["-1 000 ms \u{FFFD}[1m"])
    #expect(PlainText.wrapped("ab abcdefgh", width: 5) == ["ab", "abcde", "fgh"])
    #expect(PlainText.padded("漢字漢字", to: 6) == "漢字… ")
    #expect(PlainText.padded("7", to: 3, atEnd: true) == "  7")
  }

  @Test("what is not said already is added: discards, failures, the noise floor")
  func honesty() {
    var results = SyntheticExperiment(
      repetitions: 2, change: { run, arm in if arm == "h3", run.repetition == 0 { run.failure = "timed out" } }
    ).results()
    results.header.honesty = ["The noise floor is known."]
    #expect(
      ReportRemarks.sentences(results) == [
        "The noise floor is known.", "3 runs discarded by rules that were stated before the runs.",
        "1 kept run is not whole; what never came counts as late.",
      ])
    #expect(ReportRemarks.sentences(sweep: [results, results]).contains { $0.contains("in 6 of 12 cases") })
  }

  @Test(
    "losses have a mean",
    arguments: [
      (Loss.bernoulli(rate: 0.02, longestBurst: nil), 2.0 as Double?),
      (.gilbert(meanRate: 0.03, meanBurstPackets: 10), 3),
      (.pattern([true, false, false, false]), 25), (.pattern([]), 0),
      (.byTime(meanRate: 0.03, meanBurstMilliseconds: 25), 3), (.perByte(rate: 1e-5), nil),
      (.acknowledgements(rate: 0.2, maximumQUICBytes: 100), nil),
      (.byToken(rate: 0.2, maximumQUICBytes: 100), nil),
      (
        .weather(
          goodMeanMilliseconds: 3_000, goodRate: 0, badMeanMilliseconds: 1_000, badRate: 0.4,
          badExtraDelayMilliseconds: nil),
        10
      ),
    ])
  func meanLoss(_ loss: Loss, _ percent: Double?) {
    #expect(isNear(loss.meanPercent, percent))
  }

  @Test("a loss says its law")
  func lossLaw() {
    #expect(
      LinkText.loss(.byTime(meanRate: 0.03, meanBurstMilliseconds: 25)) == "3 % of the time, 25 ms at once on average")
    #expect(LinkText.loss(.perByte(rate: 1e-5)) == "by length: 0.1 % of packets of 100 B, 1.49 % of 1500 B")
    #expect(
      LinkText.loss(.acknowledgements(rate: 0.2, maximumQUICBytes: 100))
        == "20 % of acknowledgements (TCP's without payload, QUIC's packets of at most 100 B)")
    #expect(
      LinkText.loss(.byToken(rate: 0.05, maximumQUICBytes: 100))
        == "the packet that brings a token first, for 5 % of tokens, the same for every client")
  }

  /// HTTP/2 less HTTP/3, one a pair.
  private func comparison(_ differences: [Double], in metric: Metric = .excessP95) throws -> Comparison {
    func arm(_ name: String, _ value: (Int) -> Double) -> ArmResults {
      ArmResults(
        name: name, label: name, client: "", server: "", isControl: false, notes: [],
        runs: differences.indices.map { RunMetrics(repetition: $0, seed: 1, values: [metric: value($0)], events: 1) })
    }
    let provenance = SyntheticExperiment(repetitions: 0).results().header.provenance
    let judge = ComparisonJudge(rules: ExperimentRules(), provenance: provenance, roundTripMilliseconds: 50)
    let pair = (arm: arm("h3") { _ in 100 }, baseline: arm("h2") { 100 + differences[$0] })
    return try #require(judge.comparisons(of: [pair], headline: metric).first)
  }

  @Test("a finding has its sign, its unit and its interval in order")
  func findings() throws {
    let names = ArmNames(SyntheticExperiment(repetitions: 0).results().arms)
    func sentence(_ comparison: Comparison) -> String { FindingText.sentence(comparison, names: names) }
    let steps = (0..<10).map(Double.init)
    let worse = try comparison(steps.map { -45 + $0 })
    #expect(sentence(worse) == "HTTP/2 better by 40.5 ms [37.0, 44.0]")
    #expect(FindingText.number(worse) == "−40.5 [−44.0, −37.0] ms")
    let goodput = try comparison(steps.map { -0.9 + $0 / 20 }, in: .goodput)
    #expect(sentence(goodput) == "HTTP/3 better by 0.675 Mbit/s [0.500, 0.850]")
    let undecided = try comparison(steps.map { -4 + $0 })
    #expect(sentence(undecided) == "no difference shown")
    #expect(FindingText.number(undecided) == "[−3, 4] ms")
    let equal = try comparison(steps.map { -0.45 + $0 / 10 })
    #expect(sentence(equal) == "no difference as large as 2 ms")
    let few = try comparison(Array(steps.prefix(9)))
    #expect(sentence(few) == "not judged: too few")
    #expect(FindingText.number(few) == "range [0, 8] ms")
  }

  /// One run's link was 2.5 ms late: what is smaller is not a number in any document.
  @Test("a difference below the floor is not printed")
  func belowTheFloor() throws {
    let late = SyntheticExperiment(
      change: { run, arm in
        run.values[.linkLatenessP99] = run.repetition == 3 ? 2.5 : 0.1
        run.values[.excessP95] = (arm == "h2" ? 52.125 : 50) + Double(run.repetition) / 1_000
      }
    ).results()
    let comparison = try #require(late.comparisons.first)
    #expect(comparison.judgement == .belowNoiseFloor)
    #expect(FindingText.number(comparison) == nil)
    let sources = [HTMLReport(late).source, MarkdownReport(late).source, TextSummary(late).text]
    for source in sources {
      #expect(!source.contains("2.13") && !source.contains("2.125"))
      #expect(source.lowercased().contains("below the noise floor"))
    }
  }

  @Test("arms with one label are distinguished")
  func names() {
    let arms = SyntheticExperiment(arms: SyntheticExperiment.allArms, repetitions: 0).results().arms
    let names = ArmNames(arms)
    #expect(Set(arms.map { names.label($0.name) }).count == arms.count)
    #expect(names.label("curl-h3") == "HTTP/3 · curl-h3")
    #expect(names.label("unknown") == "unknown")
  }
}
