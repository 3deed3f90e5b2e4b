/// The pairs of arms that are compared: the headline pair, then the headline's arm against every other one.
struct ArmPairing {
  /// The headline pair is the first; empty if there is only one arm.
  let pairs: [(arm: ArmResults, baseline: ArmResults)]
  let arm: ArmResults?

  init(_ arms: [ArmResults], rules: ExperimentRules) {
    let own = arms.filter { !$0.isControl } + arms.filter(\.isControl)
    // Where nothing arrived over HTTP/3, as on a link that blocks UDP, the arm that may fall back represents it.
    let isMute = own.first { $0.name == "h3" }?.runs.isEmpty ?? false
    let chosen = Self.first(of: own, preferring: [rules.headlineArm] + (isMute ? ["auto", "h3"] : ["h3", "auto"]))
    arm = chosen
    let others = own.filter { $0.name != chosen?.name }
    guard let chosen,
      let baseline = Self.first(of: others, preferring: [rules.headlineBaseline, "h2", "h1"])
    else {
      pairs = []
      return
    }
    pairs = ([baseline] + others.filter { $0.name != baseline.name }).map { (chosen, $0) }
  }

  /// The first by exact name in the order of preference, then by the beginning of the name (`h2-bbr`), then any.
  private static func first(of arms: [ArmResults], preferring names: [String?]) -> ArmResults? {
    for name in names.compactMap({ $0 }) {
      if let arm = arms.first(where: { $0.name == name }) { return arm }
    }
    for name in names.compactMap({ $0 }) {
      if let arm = arms.first(where: { $0.name.hasPrefix(name) }) { return arm }
    }
    return arms.first
  }
}
