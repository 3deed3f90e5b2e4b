import LinkModel
import Testing

@testable import LatencyReport

@Suite("The picture of captured runs")
struct RunPictureTests {
  private static let arms = ["h3", "h2"]

  private static func run(_ arm: String, senders: SenderTrace) -> RunPicture.Run {
    let events = (0..<2).flatMap { Sample.stream($0, latencies: [25, 26, 95, nil, 40]) }
    let packets = [
      Sample.packet(0, at: 10, dropped: .loss), Sample.packet(1, at: 20), Sample.packet(2, .toServer, at: 30),
    ]
    return RunPicture.Run(Sample.run(Sample.client(events: events), arm: arm, packets: packets), senders: senders)
  }

  private static func trace(window: Double) -> SenderTrace {
    SenderTrace(connections: [
      (-50..<100).map {
        SenderTrace.Sample(
          time: Sample.nanoseconds(Double($0)), windowBytes: window, inFlightBytes: window * Double(abs($0) % 10) / 10)
      }
    ])
  }

  private static func results(repetitions: Int = 3) -> ExperimentResults {
    SyntheticExperiment(streams: 2, repetitions: repetitions).results()
  }

  private static func picture(_ traces: [SenderTrace]) throws -> ParsedMarkup {
    let runs = zip(arms, traces).map { run($0, senders: $1) }
    let picture = try #require(RunPicture(results(), runs: runs))
    let document = ParsedMarkup(picture.source)
    #expect(document.problem == nil)
    return document
  }

  private static func paths(_ document: ParsedMarkup, _ style: String) -> [ParsedMarkup.Element] {
    document.named("path").filter { $0.attributes["class"] == style }
  }

  @Test("each arm has its events, its window and what it had in flight, in a file that needs no other")
  func panels() throws {
    let document = try Self.picture([Self.trace(window: 2_888), Self.trace(window: 14_480)])
    for style in ["dots s0", "dots s1", "wait s0", "wait s1"] {
      #expect(Self.paths(document, style).count == 1, "\(style)")
    }
    #expect(Self.paths(document, "cross").count == 2)
    // One each in the legend.
    #expect(Self.paths(document, "dc").count == 3)
    #expect(Self.paths(document, "thin ink").count == 3)
    let texts = document.named("text").map(\.text)
    #expect(texts.count { $0 == "in flight (kB)" } == 2)
    #expect(texts.count { $0 == "excess latency (ms)" } == 2)
    #expect(texts.contains("HTTP/3") && texts.contains("HTTP/2"))
    let style = try #require(document.named("style").first?.text)
    #expect(style.contains("prefers-color-scheme:dark"))
    #expect(!style.contains("max-width"), "a picture in a narrow page would hide itself")
    #expect(document.named("rect").first?.attributes["class"] == "paper")
  }

  @Test("each arm has a scale of its own, and one that counts segments says so")
  func ownScales() throws {
    var segments = Self.trace(window: 100_000)
    segments.countsSegments = true
    let document = try Self.picture([Self.trace(window: 10_000), segments])
    let lines = Self.paths(document, "thin ink").compactMap { $0.attributes["d"] }.filter { $0.hasPrefix("M") }
    let heights = lines.suffix(2).compactMap { line in
      line.dropFirst().split(whereSeparator: { " HVL".contains($0) }).dropFirst().first.flatMap { Double($0) }
    }
    let names = document.named("text").filter { $0.text.hasPrefix("in flight (kB") }
    #expect(names.map(\.text) == ["in flight (kB)", "in flight (kB, each segment counted as a full one)"])
    let axes = names.compactMap { $0.attributes["y"].flatMap(Double.init) }
    try #require(heights.count == 2 && axes.count == 2)
    #expect(abs((heights[0] - axes[0]) - (heights[1] - axes[1])) < 1)
  }

  @Test("an arm whose window was not recorded is drawn without, and says so")
  func withoutTrace() throws {
    let document = try Self.picture([Self.trace(window: 2_888), SenderTrace()])
    #expect(Self.paths(document, "wait s1").isEmpty)
    #expect(document.named("text").contains { $0.text.contains("window not recorded") })
    #expect(document.named("desc").first?.text.contains("window not recorded") == true)
  }

  @Test("samples beyond the events' time are left out, and a hundred thousand are thinned")
  func manySamples() throws {
    let many = SenderTrace(connections: [
      (0..<100_000).map {
        SenderTrace.Sample(
          time: Sample.nanoseconds(Double($0) / 500), windowBytes: 9_000, inFlightBytes: Double($0 % 9) * 1_000)
      }
    ])
    let runs = [Self.run("h3", senders: many)]
    let source = try #require(RunPicture(Self.results(), runs: runs)).source
    #expect(source.utf8.count < 200_000)
    #expect(ParsedMarkup(source).problem == nil)
  }

  @Test("no event, no picture")
  func nothing() {
    #expect(RunPicture(Self.results(), runs: []) == nil)
    let empty = RunPicture.Run(Sample.run(Sample.client(events: [])), senders: SenderTrace())
    #expect(RunPicture(Self.results(), runs: [empty]) == nil)
  }

  @Test("the median run is that of the headline metric among those that may be")
  func median() throws {
    var experiment = SyntheticExperiment(streams: 1)
    experiment.repetitions = 5
    let p95: [Int: Double] = [0: 50, 1: 10, 2: 40, 3: 20, 4: 30]
    experiment.change = { run, _ in run.values[.excessP95] = p95[run.repetition] }
    let results = experiment.results()
    let kept = try #require(results.arms.first { $0.name == "h2" }).runs.map(\.repetition)
    let sorted = kept.sorted { (p95[$0] ?? 0) < (p95[$1] ?? 0) }
    let among: (Int) -> Bool = { _ in true }
    #expect(RunPicture.medianRepetition(of: "h2", in: results, among: among) == sorted[(sorted.count - 1) / 2])
    #expect(RunPicture.medianRepetition(of: "h2", in: results) { $0 == kept.last } == kept.last)
    #expect(RunPicture.medianRepetition(of: "h2", in: results) { _ in false } == nil)
    #expect(RunPicture.medianRepetition(of: "h9", in: results, among: among) == nil)
  }
}
