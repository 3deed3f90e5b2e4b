import LinkModel
import Testing

@testable import LatencyReport

@Suite("Figures")
struct FigureTests {
  @Test("no label lies on another or leaves the picture", arguments: DocumentCase.all)
  func labelsHaveRoom(_ item: DocumentCase) {
    let document = item.document
    #expect(!document.named("text").isEmpty || item.results.arms.allSatisfy(\.runs.isEmpty))
    #expect(document.crowdedLabels == [])
  }

  @Test("every figure is drawn for a wide and a narrow page, with a title and a description")
  func bothSizes() {
    let document = ParsedMarkup(HTMLReport(SyntheticExperiment().results()).source)
    let classes = document.named("svg").compactMap { $0.attributes["class"] }.filter { $0 != "sample" }
    #expect(classes.count { $0 == "plot wide" } == document.named("figure").count)
    #expect(classes.count { $0 == "plot narrow" } == document.named("figure").count)
    #expect(document.named("figure").count == 9)
    #expect(document.named("desc").allSatisfy { $0.text.contains(where: \.isNumber) })
    #expect(
      document.named("svg").allSatisfy { $0.attributes["role"] == "img" || $0.attributes["aria-hidden"] == "true" })
  }

  @Test("arms differ without colour: no two of six share dashes and mark")
  func stylesDiffer() {
    let styles = (0..<6).map { SeriesStyle(index: $0) }
    #expect(Set(styles.map { $0.dashes ?? "" }).count == 6)
    #expect(Set(styles.map(\.marker)).count == 6)
    #expect(Set(styles.map(\.colourClass)).count == 6)
  }

  @Test("the staircase ends where the schedule does, and waiting is the area between")
  func staircaseFollowsEvents() throws {
    let results = SyntheticExperiment(streams: 1).results()
    let figure = try #require(StaircaseFigure(results, names: ArmNames(results.arms)))
    let document = ParsedMarkup(figure.markup().source)
    let waits = document.named("path").filter { ($0.attributes["class"] ?? "").hasPrefix("wait") }
    #expect(waits.count == results.plots.timelines.count * PlotSize.allCases.count)
    #expect(waits.allSatisfy { ($0.attributes["d"] ?? "").hasSuffix("z") })
  }

  @Test("drops are marked in the lane of their direction")
  func dropsAreMarked() throws {
    var results = SyntheticExperiment(repetitions: 1).results()
    results.plots.timelines = Array(results.plots.timelines.prefix(1))
    results.plots.timelines[0].drops = [
      PlotData.TimelineDrop(at: 100, direction: .toClient, cause: .loss),
      PlotData.TimelineDrop(at: 2_000, direction: .toClient, cause: .loss),
      PlotData.TimelineDrop(at: 3_000, direction: .toServer, cause: .queueFull),
    ]
    let figure = try #require(LatenessFigure(results, names: ArmNames(results.arms)))
    let paths = ParsedMarkup(figure.drawing(.wide).markup(identifier: "x", title: "t", description: "d").source).named(
      "path")
    let drops = ["dc", "ds"].map { style in
      // The last path of a class is the panel's; those before are the legend's.
      (paths.last { $0.attributes["class"] == style }?.attributes["d"] ?? "").count { $0 == "M" }
    }
    #expect(drops == [2, 1])
  }
}
