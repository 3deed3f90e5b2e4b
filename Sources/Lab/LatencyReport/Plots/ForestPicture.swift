/// A picture of one comparison in several experiments as an SVG document.
package struct ForestPicture {
  private let figure: ForestFigure

  /// Nil where no experiment compares these arms by the metric.
  ///
  /// - Parameter metric: nil for the one that the first experiment chose before its runs.
  package init?(_ experiments: [ExperimentResults], arm: String, baseline: String, metric: Metric? = nil) {
    guard let first = experiments.first else { return nil }
    let metric = metric ?? first.rules.headline(of: first.scenario)
    guard let figure = ForestFigure(experiments, arm: arm, baseline: baseline, metric: metric) else { return nil }
    self.figure = figure
  }

  package var source: String {
    figure.drawing(.wide).document(title: figure.title, description: "\(figure.caption) \(figure.description)")
  }
}
