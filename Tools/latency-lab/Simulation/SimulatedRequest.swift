/// A request's target as the origin reads it.
struct SimulatedRequest: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case stream(Int)
    case tool(Int)
    case bytes
  }

  let kind: Kind
  private let parameters: [String: Int64]

  /// nil for what the origin does not have.
  init?(_ target: String) {
    let parts = target.split(separator: "?", maxSplits: 1)
    let path = (parts.first ?? "").trimmingPrefix(StreamClientRules.folder).split(separator: "/")
    switch (path.first, path.count) {
    case ("stream", 2):
      guard let index = Int(path[1]) else { return nil }
      kind = .stream(index)
    case ("tool", 2):
      guard let index = Int(path[1]) else { return nil }
      kind = .tool(index)
    case ("bytes", 1): kind = .bytes
    default: return nil
    }
    var parameters: [String: Int64] = [:]
    for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let sides = pair.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, let number = Int64(sides[1]) else { continue }
      parameters[String(sides[0])] = number
    }
    self.parameters = parameters
  }

  subscript(_ name: String) -> Int64? { parameters[name] }
}
