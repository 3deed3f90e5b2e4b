extension ScenarioOverride {
  /// Applies a change whose path is one of the short names; returns false for any other.
  func applyShorthand(to document: inout JSONNode) throws(ScenarioError) -> Bool {
    guard path.count == 1 else { return false }
    switch path[0] {
    case "loss": try setLoss(in: &document)
    case "delay": try setBothWays("oneWayDelayMilliseconds", number(suffixes: ["ms": 1]), in: &document)
    case "rate": try setRate(in: &document)
    case "streams": try set(["workload", "streams"], to: value, in: &document)
    case "tokensPerSecond": try setTokensPerSecond(in: &document)
    case "duration":
      try set(["workload", "durationSeconds"], to: JSONNode.digits(of: number(suffixes: ["s": 1])), in: &document)
    default: return false
    }
    return true
  }

  private func setBothWays(_ field: String, _ number: Double, in document: inout JSONNode) throws(ScenarioError) {
    for direction in ["toClient", "toServer"] {
      try set(["link", direction, field], to: JSONNode.digits(of: number), in: &document)
    }
  }

  /// Keeps the kind of loss and its bursts.
  private func setLoss(in document: inout JSONNode) throws(ScenarioError) {
    let rate = try number(suffixes: ["%": 0.01])
    for direction in ["toClient", "toServer"] {
      let place = ["link", direction, "loss"]
      let old = document["link"]?[direction]?["loss"]
      if rate == 0 {
        try set(place, to: "null", in: &document)
      } else if old?["gilbert"] != nil {
        try set(place + ["gilbert", "meanRate"], to: JSONNode.digits(of: rate), in: &document)
      } else if old?["byTime"] != nil {
        try set(place + ["byTime", "meanRate"], to: JSONNode.digits(of: rate), in: &document)
      } else if old == nil || old?["bernoulli"] != nil {
        try set(place + ["bernoulli", "rate"], to: JSONNode.digits(of: rate), in: &document)
      } else {
        throw ScenarioError(
          "loss",
          "The link's loss has no single rate for all packets; set its parts below link.\(direction).loss, or take "
            + "another kind with link.bothWays.loss.bernoulli.rate=\(value).")
      }
    }
  }

  private func setRate(in document: inout JSONNode) throws(ScenarioError) {
    let rate = try number(suffixes: ["k": 1e3, "M": 1e6, "G": 1e9])
    for direction in ["toClient", "toServer"] {
      guard document["link"]?[direction]?["deliveryOpportunitiesMilliseconds"] == nil else {
        throw ScenarioError(
          "rate",
          "The link follows a delivery trace; take it away with link.bothWays.deliveryOpportunitiesMilliseconds=null "
            + "before you set a rate.")
      }
      guard rate > 0 else {
        // Nothing waits before a link without a rate.
        for field in ["rateBitsPerSecond", "queueBytes", "queuePackets"] {
          try set(["link", direction, field], to: "null", in: &document)
        }
        continue
      }
      try set(["link", direction, "rateBitsPerSecond"], to: JSONNode.digits(of: rate), in: &document)
    }
  }

  private func setTokensPerSecond(in document: inout JSONNode) throws(ScenarioError) {
    let rate = try number(suffixes: [:])
    let cadence = document["workload"]?["cadence"]
    if cadence?["recorded"] != nil {
      throw ScenarioError(
        "tokensPerSecond",
        "A recorded cadence has the rate of its recording; take another with "
          + "workload.cadence.steady.tokensPerSecond=\(value).")
    }
    if case .number(let tokens)? = cadence?["bursts"]?["tokens"] {
      guard rate > 0 else { throw ScenarioError("tokensPerSecond", "Found \(value); allowed is more than 0.") }
      let every = JSONNode.digits(of: tokens / rate * 1_000)
      return try set(["workload", "cadence", "bursts", "everyMilliseconds"], to: every, in: &document)
    }
    let kind = cadence?["jittered"] != nil ? "jittered" : "steady"
    try set(["workload", "cadence", kind, "tokensPerSecond"], to: JSONNode.digits(of: rate), in: &document)
  }

  /// The value, with one of the endings that multiply it or without.
  private func number(suffixes: [String: Double]) throws(ScenarioError) -> Double {
    var text = value
    var factor = 1.0
    if let (suffix, meaning) = suffixes.first(where: { value.hasSuffix($0.key) }) {
      text.removeLast(suffix.count)
      factor = meaning
    }
    guard let number = Double(text), number.isFinite else {
      let endings = suffixes.keys.sorted().joined(separator: ", ")
      throw ScenarioError(
        path[0], "Found '\(value)'; allowed is a number" + (endings.isEmpty ? "." : ", which may end in \(endings)."))
    }
    return number * factor
  }
}
