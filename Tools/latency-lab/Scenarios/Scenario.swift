import LatencyReport
import LinkModel

/// A question to the lab: a link, its traffic, and the source of the numbers.
struct Scenario: Codable, Hashable, Sendable {
  /// Lower-case words joined by hyphens; names the folder of results and seeds the link's weather.
  var name: String
  /// A description of the scenario and its purpose, for people.
  var about: String
  /// The source of its numbers.
  var source: String
  var link: LinkConditions
  var workload: Workload
  /// The arms that this scenario is about; nil leaves it to the experiment.
  var arms: [String]?
  /// Runs of each arm; nil leaves it to the experiment.
  var repetitions: Int?
  /// The verdict's metric; nil: the one that fits the link and the workload (`ExperimentRules.headline(of:)`).
  var headline: Metric?

  init(
    _ name: String, about: String, source: String, link: LinkConditions, workload: Workload = .standard,
    arms: [String]? = nil, repetitions: Int? = nil, headline: Metric? = nil
  ) {
    self.name = name
    self.about = about
    self.source = source
    self.link = link
    self.workload = workload
    self.arms = arms
    self.repetitions = repetitions
    self.headline = headline
  }

  /// The seed of the link's randomness in one repetition: the same for every arm, other for every scenario's name.
  func linkSeed(seed: UInt64, repetition: Int) -> LinkSeed {
    var link = LinkSeed(scenarioNamed: name, repetition: UInt64(bitPattern: Int64(repetition)))
    link.scenario ^= seed &* 0x9e37_79b9_7f4a_7c15
    return link
  }

  /// Changed by `path=value` texts, in their order; see ``ScenarioOverride``.
  func applying(overrides: [String]) throws(ScenarioError) -> Scenario {
    guard !overrides.isEmpty else { return self }
    var document = try ScenarioFile.document(of: self)
    for text in overrides { try ScenarioOverride(text).apply(to: &document) }
    return try ScenarioFile.scenario(from: document)
  }
}

extension Workload {
  /// Eight streams, as of an agent with parallel tools, at 50 tokens a second for five seconds.
  static let standard = steady(streams: 8, tokensPerSecond: 50, seconds: 5)

  static func steady(streams: Int, tokensPerSecond: Double, seconds: Double) -> Workload {
    Workload(streams: streams, durationSeconds: seconds, cadence: .steady(tokensPerSecond: tokensPerSecond))
  }
}
