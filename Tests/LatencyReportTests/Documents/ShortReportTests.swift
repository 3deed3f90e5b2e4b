import LinkModel
import Testing

@testable import LatencyReport

@Suite("Markdown, terminal and sweep")
struct ShortReportTests {
  @Test("the summary fits 80 columns and holds nothing that moves the cursor", arguments: DocumentCase.all)
  func fitsTerminal(_ item: DocumentCase) {
    let text = TextSummary(item.results).text
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      #expect(PlainText.columns(String(line)) <= 80, "\(line)")
      #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
    }
    #expect(text.hasSuffix("\n") && !text.lowercased().contains("nan "))
  }

  @Test("Markdown tables have the same number of cells in every row", arguments: DocumentCase.all)
  func markdownTables(_ item: DocumentCase) {
    var columns: Int?
    for line in MarkdownReport(item.results).source.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("|") else {
        columns = nil
        continue
      }
      let cells = line.replacing("\\|", with: "").count { $0 == "|" }
      #expect(columns == nil || columns == cells, "\(line)")
      columns = cells
    }
  }

  @Test("Markdown holds question, verdict, findings and what to keep in mind")
  func markdownIsWhole() {
    let source = MarkdownReport(SyntheticExperiment().results()).source
    #expect(source.hasPrefix("## Is HTTP/3 better than HTTP/2 for 8 token streams at 2 % loss?\n"))
    for part in [
      "**HTTP/3 has the lower p95", "no difference", "What to keep in mind", "```sh\nlatency-lab run",
    ] {
      #expect(source.contains(part))
    }
    #expect(source.utf8.count < 16_384)
  }

  private func grid() -> [ExperimentResults] {
    [12.5, 25, 100].flatMap { delay in
      [0.05, 0, 0.02].map { loss in
        SyntheticExperiment(events: 60, repetitions: 5, loss: loss, oneWayDelayMilliseconds: delay).results()
      }
    }
  }

  @Test("a sweep is one sound document with a figure and a table for each metric")
  func sweep() throws {
    let report = try #require(SweepReport(grid(), question: "Where <is> it better?", rerunCommand: "latency-lab sweep"))
    let document = ParsedMarkup(report.html)
    #expect(document.problem == nil)
    let figures = document.named("figure").compactMap { $0.attributes["id"] }
    #expect(figures == ["grid-excessP50", "grid-excessP95", "grid-excessP99", "grid-stallShare200"])
    #expect(document.named("table").count >= figures.count + 1)
    let text = document.elements.first?.text ?? ""
    #expect(text.contains("Where <is> it better?") && text.contains("of 9 cells") && text.contains("latency-lab sweep"))
    #expect(text.contains("What to keep in mind"))
    #expect(
      !report.html.contains("NaN")
        && report.html
          == SweepReport(grid(), question: "Where <is> it better?", rerunCommand: "latency-lab sweep")?.html
    )
    #expect(report.markdown.contains("| RTT 25 ms | 0 |"))
  }

  @Test("a sweep is in order of loss and of round-trip time, whatever the order of its experiments")
  func sweepOrder() {
    let grid = SweepGrid(grid().reversed())
    #expect(grid.losses == [0, 2, 5])
    #expect(grid.columns.map(\.title) == ["RTT 25 ms", "RTT 50 ms", "RTT 200 ms"])
    #expect(grid.experiment(loss: 5, column: grid.columns[2])?.scenario.link.roundTripMilliseconds == 200)
  }

  @Test("a sweep of nothing is nil; one of failures and of strange numbers is shown")
  func strangeSweeps() throws {
    #expect(SweepReport([], question: "?") == nil)
    for item in DocumentCase.all {
      let report = try #require(SweepReport([item.results], question: "?"))
      #expect(ParsedMarkup(report.html).problem == nil, "\(item.name)")
      #expect(!report.markdown.isEmpty)
    }
  }

  @Test("the latest events stand first, each with the drop that may have held it up")
  func latestEvents() {
    var results = SyntheticExperiment(repetitions: 1).results()
    results.plots.timelines = [
      PlotData.Timeline(
        arm: "h3", repetition: 0,
        events: [
          PlotData.TimelineEvent(stream: 0, scheduled: 0, received: 26),
          PlotData.TimelineEvent(stream: 0, scheduled: 20, received: 121),
          PlotData.TimelineEvent(stream: 1, scheduled: 40, received: nil),
        ],
        drops: [
          PlotData.TimelineDrop(at: 20.5, direction: .toClient, cause: .loss),
          PlotData.TimelineDrop(at: 30, direction: .toServer, cause: .loss),
          // Too late to have been repaired by then.
          PlotData.TimelineDrop(at: 100, direction: .toClient, cause: .queueFull),
        ], stalls: [], queue: [], delay: [])
    ]
    let rows = LatestEvents(results).rows
    #expect(rows.map(\.event.scheduled) == [40, 20, 0])
    #expect(rows.map(\.excess) == [nil, 76, 1])
    #expect(rows[1].drop?.at == 20.5)
    #expect(rows[2].drop == nil)
  }
}
