import Testing

@testable import LatencyReport

/// Ordinary and extreme experiments that every document must be able to show; drawn and parsed once for all tests.
struct DocumentCase: Sendable, CustomTestStringConvertible {
  let name: String
  let results: ExperimentResults
  let html: String
  let document: ParsedMarkup

  init(_ name: String, _ results: () -> ExperimentResults) {
    self.name = name
    self.results = results()
    html = HTMLReport(self.results).source
    document = ParsedMarkup(html)
  }

  var testDescription: String { name }

  static let hostile = "<script>alert('x')</script> & \"quotes\" | `code` \u{202E}\u{0}\u{1B}[31m ]]> é 漢字 🚀"

  static let all: [DocumentCase] = [
    DocumentCase("three arms, 8 streams") { SyntheticExperiment().results() },
    DocumentCase("six arms, one stream, a companion") {
      var experiment = SyntheticExperiment(arms: SyntheticExperiment.allArms, streams: 1, loss: 0.05)
      experiment.repetitions = 5
      var results = experiment.results()
      results.companions = [CompanionExperiment(SyntheticExperiment(repetitions: 3).results())]
      return results
    },
    DocumentCase("64 streams") { SyntheticExperiment(streams: 64, events: 100, repetitions: 2).results() },
    DocumentCase("no run kept") { SyntheticExperiment(repetitions: 0).results() },
    DocumentCase("one run") { SyntheticExperiment(repetitions: 1).results() },
    DocumentCase("no arm") { SyntheticExperiment(arms: []).results() },
    DocumentCase("all zero") { SyntheticExperiment(repetitions: 2, loss: 0, factor: 0).results() },
    DocumentCase("a million") { SyntheticExperiment(repetitions: 2, factor: 20_000).results() },
    DocumentCase("beyond any number") { SyntheticExperiment(repetitions: 2, factor: 1e300).results() },
    DocumentCase("not a number") { SyntheticExperiment(repetitions: 2, factor: .nan).results() },
    DocumentCase("infinite") { SyntheticExperiment(repetitions: 2, factor: .infinity).results() },
    DocumentCase("nothing came") {
      var results = SyntheticExperiment(repetitions: 2, change: { run, _ in run.failure = "timed out" }).results()
      for index in results.plots.timelines.indices {
        for event in results.plots.timelines[index].events.indices {
          results.plots.timelines[index].events[event].received = nil
        }
      }
      return results
    },
    DocumentCase("hostile and long names") {
      let long = String(repeating: "a very long name ", count: 40)
      let arms = [
        SyntheticExperiment.Arm(name: hostile, label: hostile, blocksAll: true, client: hostile, notes: [hostile]),
        SyntheticExperiment.Arm(name: "long", label: long, blocksAll: false, client: long + long),
        SyntheticExperiment.Arm(name: "w", label: String(repeating: "W漢", count: 200), blocksAll: false),
      ]
      var results = SyntheticExperiment(
        arms: arms, repetitions: 2,
        change: { run, arm in if arm == hostile, run.repetition == 0 { run.failure = hostile } }
      ).results()
      results.header.question = hostile
      results.header.verdict = hostile + long
      results.header.caveat = hostile
      results.header.honesty = [hostile, long]
      results.header.provenance.rerunCommand = "latency-lab run ``` " + hostile
      results.header.provenance.commandLine = ["latency-lab", hostile, "it's"]
      results.header.provenance.versions = [NamedValue(hostile, hostile)]
      results.scenario.name = hostile
      results.scenario.about = hostile
      results.discarded = [DiscardedRun(arm: "gone", repetition: 3, reason: .notMade, rule: hostile)]
      return results
    },
  ]
}
