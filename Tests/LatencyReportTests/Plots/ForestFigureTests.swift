import LinkModel
import Testing

@testable import LatencyReport

@Suite("The forest of experiments")
struct ForestFigureTests {
  /// HTTP/2 is later than HTTP/3 by `ahead` ms and a little more in each pair; five seeds take turns.
  private static func experiment(
    _ name: String, streams: Int = 8, pairs: Int = 15, server: String = "ours",
    ahead: @escaping (Int) -> Double
  ) -> ExperimentResults {
    let runs = SampleExperiment.runs(["h2", "h3"], repetitions: pairs) { arm, repetition in
      arm == "h2" ? 60 + ahead(repetition) : 60
    }.map { run in
      var run = run
      run.seed = UInt64(max(0, run.repetition) % 5 + 1)
      return run
    }
    let loss = Sample.link(loss: .bernoulli(rate: 0.02, longestBurst: nil))
    var results = ExperimentAnalysis.results(
      SampleExperiment.description(Sample.scenario(loss, name: name, streams: streams)), runs: runs)
    for index in results.arms.indices { results.arms[index].server = server }
    return results
  }

  private static let experiments = [
    experiment("loss-2") { 30 + Double($0) },
    experiment("loss-5", streams: 1, server: "another") { 20 + Double($0) },
    experiment("loss-1", pairs: 4) { 10 + Double($0) },
    experiment("loss-3") { $0.isMultiple(of: 2) ? 40 : -40 },
    experiment("loss-4") { -30 - Double($0) },
  ]

  private static func document(_ experiments: [ExperimentResults] = Self.experiments) throws -> ParsedMarkup {
    let figure = try #require(ForestFigure(experiments, arm: "h3", baseline: "h2", metric: .excessP95))
    return ParsedMarkup(figure.markup().source)
  }

  private static func paths(_ document: ParsedMarkup, _ style: String) -> [ParsedMarkup.Element] {
    document.named("path").filter { $0.attributes["class"] == style }
  }

  @Test("a row shows what was found of it: an interval with a median, an interval alone, or a range")
  func rows() throws {
    let document = try Self.document()
    #expect(document.problem == nil)
    let drawings = PlotSize.allCases.count
    // HTTP/3 is better in two, HTTP/2 in one; one shows nothing, and one has too few pairs.
    #expect(Self.paths(document, "iv s0").count == 2 * drawings)
    #expect(Self.paths(document, "median s0").count == 2 * drawings)
    #expect(Self.paths(document, "iv s1").count == drawings)
    #expect(Self.paths(document, "median s1").count == drawings)
    #expect(Self.paths(document, "iv neutral").count == drawings)
    #expect(Self.paths(document, "median neutral").isEmpty)
    #expect(Self.paths(document, "thin neutral").count == drawings)
    let texts = document.named("text").map(\.text)
    #expect(texts.count { $0 == "ours" } == drawings && texts.count { $0 == "another" } == drawings)
    #expect(texts.contains("loss-5, 1 stream") && texts.contains("loss-2, 8 streams"))
    #expect(texts.contains("too few") && texts.contains("no difference shown"))
    #expect(document.crowdedLabels == [])
  }

  @Test("a dot stands for each seed's pairs, so that one odd seed is seen")
  func seeds() throws {
    let document = try Self.document([Self.experiment("loss-2") { $0 % 5 == 0 ? 300 : 30 }])
    let dots = Self.paths(document, "dots s0").map { ($0.attributes["d"] ?? "").split(separator: "M") }
    #expect(dots.map(\.count) == [5, 5])
    let places = try #require(dots.first).compactMap { Double($0.split(separator: " ").first ?? "") }
    #expect(try #require(places.max()) > 2 * #require(places.sorted().dropLast().last))
  }

  @Test("an experiment without the comparison has no row, and none at all no picture")
  func missing() throws {
    let figure = ForestFigure(Self.experiments, arm: "h3", baseline: "h1", metric: .excessP95)
    #expect(figure == nil)
    #expect(ForestPicture([], arm: "h3", baseline: "h2") == nil)
    #expect(ForestPicture(Self.experiments, arm: "h3", baseline: "h2", metric: .downloadTime) == nil)
  }

  @Test(
    "the picture is a document that needs no other, in light and dark colours, by the metric chosen before the runs")
  func picture() throws {
    let picture = try #require(ForestPicture(Self.experiments, arm: "h3", baseline: "h2"))
    let document = ParsedMarkup(picture.source)
    #expect(document.problem == nil)
    #expect(document.named("title").first?.text == "HTTP/2 − HTTP/3, p95 excess latency, by experiment.")
    #expect(document.named("style").first?.text.contains("prefers-color-scheme:dark") == true)
    #expect(document.named("desc").first?.text.contains("ours, loss-1, 8 streams: not judged: too few.") == true)
  }
}
