/// A picture of captured runs as an SVG document: what was late, beside what the sender's congestion control did.
package struct RunPicture {
  package struct Run: Sendable {
    var record: RunRecord
    var senders: SenderTrace

    package init(_ record: RunRecord, senders: SenderTrace) {
      self.record = record
      self.senders = senders
    }
  }

  /// Dots of an arm beyond which events that were on time are left out.
  private static let eventLimit = 4_000

  private let figure: SenderFigure

  /// Nil where no event can be drawn.
  ///
  /// - Parameter runs: one of each arm, in the order of the panels.
  package init?(_ results: ExperimentResults, runs: [Run]) {
    var drawn = results
    drawn.plots.timelines = runs.map {
      TimelineBuilder(RunTimes($0.record, scenario: results.scenario), eventLimit: Self.eventLimit).timeline
    }
    let senders = runs.map { ($0.record.arm, (trace: $0.senders, start: $0.record.client.start)) }
    guard
      let figure = SenderFigure(
        drawn, names: ArmNames(results.arms), senders: Dictionary(senders) { first, _ in first })
    else { return nil }
    self.figure = figure
  }

  package var source: String {
    figure.drawing(.wide).document(title: figure.title, description: "\(figure.caption) \(figure.description)")
  }

  /// The kept repetition of an arm whose headline metric is the median of those that `isChosen` lets in; of an even
  /// number the lower.
  package static func medianRepetition(
    of arm: String, in results: ExperimentResults, among isChosen: (Int) -> Bool
  ) -> Int? {
    let metric = results.rules.headline(of: results.scenario)
    let runs = results.arms.first { $0.name == arm }?.runs.filter { isChosen($0.repetition) } ?? []
    return PlotDataBuilder.middle(runs.compactMap { run in run.values[metric].map { (run.repetition, $0) } })
      ?? runs.first?.repetition
  }
}
