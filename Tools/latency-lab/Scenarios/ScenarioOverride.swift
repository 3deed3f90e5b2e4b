import Foundation

/// One change of a scenario, as `link.toClient.loss.bernoulli.rate=0.03`.
///
/// | path | meaning |
/// |---|---|
/// | keys and places of the scenario file, joined by dots | that value; `null` takes it away |
/// | `link.bothWays.…` | the same in both directions |
/// | `loss` | probability of packet loss each way (`0.03` or `3%`), of the kind that the link has; 0 for none |
/// | `delay` | one-way delay each way in milliseconds |
/// | `rate` | link rate each way in bits a second (`10000000` or `10M`); 0 for no limit |
/// | `streams`, `tokensPerSecond`, `duration` | of the workload; the duration in seconds |
///
/// Naming another kind of a choice, as `…loss.gilbert.meanRate` where the loss is Bernoulli's, takes its place.
struct ScenarioOverride: Hashable, Sendable {
  let text: String
  let path: [String]
  let value: String

  init(_ text: String) throws(ScenarioError) {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw ScenarioError("", "'\(text)' is not a change; write path=value, as link.toClient.queueBytes=50000.")
    }
    self.text = text
    path = text[..<equals].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    value = String(text[text.index(after: equals)...])
  }

  func apply(to document: inout JSONNode) throws(ScenarioError) {
    if try applyShorthand(to: &document) { return }
    if path.starts(with: ["link", "bothWays"]) {
      for direction in ["toClient", "toServer"] {
        try set(["link", direction] + path.dropFirst(2), to: value, in: &document)
      }
    } else {
      try set(path, to: value, in: &document)
    }
  }

  /// Sets a value; the whole document is checked once all changes are made.
  func set(_ path: [String], to value: String, in document: inout JSONNode) throws(ScenarioError) {
    var node: JSONNode? = document
    try set(path[...], to: value, in: &node, ScenarioShape.scenario, at: "")
    if let node { document = node }
  }

  private func set(
    _ path: ArraySlice<String>, to value: String, in node: inout JSONNode?, _ shape: Shape, at place: String
  ) throws(ScenarioError) {
    guard let name = path.first else {
      let new = try leaf(value, shape, at: place)
      node = new.isNull ? nil : new
      return
    }
    let inner = Shape.join(place, name)
    if case .list(let element, let range) = shape {
      var list: [JSONNode] = []
      if case .list(let old)? = node { list = old }
      guard let index = Int(name), (0...list.count).contains(index), Double(index) < range.most else {
        throw ScenarioError(
          inner, "'\(name)' is not an index of a list of \(list.count); allowed is 0 to \(list.count).")
      }
      var child = index < list.count ? list[index] : nil
      try set(path.dropFirst(), to: value, in: &child, element, at: inner)
      list.replaceSubrange(index..<min(index + 1, list.count), with: child.map { [$0] } ?? [])
      node = .list(list)
      return
    }
    guard let fields = shape.fields else {
      throw ScenarioError(inner, "'\(place)' has no parts; it is \(shape.words).")
    }
    guard let field = fields.first(where: { $0.name == name }) else {
      throw ScenarioError([Shape.unknownField(name, among: fields, at: place)])
    }
    var child = node?[name]
    try set(path.dropFirst(), to: value, in: &child, field.shape, at: inner)
    var members: [String: JSONNode] = [:]
    if case .object(let old)? = node { members = old }
    if case .choice = shape {
      // One kind takes the other's place, and none is no choice at all.
      node = child.map { .object([name: $0]) }
      return
    }
    members[name] = child
    node = .object(members)
  }

  /// The value as JSON, or as text where text is wanted.
  private func leaf(_ value: String, _ shape: Shape, at place: String) throws(ScenarioError) -> JSONNode {
    if value == "null" { return .null }
    if case .text = shape { return .text(value) }
    if value.hasSuffix("%"), let number = Double(value.dropLast()) { return .number(number / 100) }
    guard let node = try? JSONNode(json: .init(value.utf8)) else {
      throw ScenarioError(place, "Found '\(value)'; allowed is \(shape.words).")
    }
    return node
  }
}
