extension Shape {
  /// Everything in a document that is not as it must be.
  func problems(in node: JSONNode, at path: String = "") -> [ScenarioError.Problem] {
    switch (self, node) {
    case (.text(let most), .text(let text)):
      return text.isEmpty || text.count > most ? [mismatch(node, path)] : []
    case (.flag, .flag): return []
    case (.number(let range), .number(let number)):
      return range.contains(number) ? [] : [mismatch(node, path)]
    case (.integer(let range), .number(let number)):
      return range.contains(number) && Int64(exactly: number) != nil ? [] : [mismatch(node, path)]
    case (.list(let shape, let range), .list(let list)):
      guard range.contains(Double(list.count)) else { return [mismatch(node, path)] }
      // One is enough to correct the others, and a list may be long.
      for (index, element) in list.enumerated() {
        let found = shape.problems(in: element, at: Self.join(path, "\(index)"))
        if !found.isEmpty { return found }
      }
      return []
    case (.object(let fields), .object(let members)):
      return unknown(members, fields, path) + missing(members, fields, path) + inside(members, fields, path)
    case (.choice(let fields), .object(let members)):
      let unknown = unknown(members, fields, path)
      guard unknown.isEmpty else { return unknown }
      return members.count == 1 ? inside(members, fields, path) : [mismatch(node, path)]
    case (.link(let fields), .object(let members)):
      let one = members["bothWays"] != nil && members["toClient"] == nil && members["toServer"] == nil
      let two = members["bothWays"] == nil && members["toClient"] != nil && members["toServer"] != nil
      return unknown(members, fields, path) + (one || two ? [] : [mismatch(node, path)])
        + inside(members, fields, path)
    case (.text, _), (.flag, _), (.number, _), (.integer, _), (.list, _), (.object, _), (.choice, _), (.link, _):
      return [mismatch(node, path)]
    }
  }

  /// The message about an unknown member.
  static func unknownField(_ name: String, among fields: [Field], at path: String) -> ScenarioError.Problem {
    let nearest = fields.map { ($0.name, distance($0.name.lowercased(), name.lowercased())) }.min { $0.1 < $1.1 }
    let near = nearest.flatMap { $0.1 <= max(2, name.count / 2) ? " Did you mean '\($0.0)'?" : nil } ?? ""
    return ScenarioError.Problem(join(path, name), "Nobody knows '\(name)'.\(near) Allowed are \(names(fields)).")
  }

  static func join(_ path: String, _ name: String) -> String {
    path.isEmpty ? name : "\(path).\(name)"
  }

  private func mismatch(_ node: JSONNode, _ path: String) -> ScenarioError.Problem {
    .init(path, "Found \(node); allowed is \(words).")
  }

  private func unknown(_ members: [String: JSONNode], _ fields: [Field], _ path: String) -> [ScenarioError.Problem] {
    members.keys.sorted().filter { key in !fields.contains { $0.name == key } }
      .map { Self.unknownField($0, among: fields, at: path) }
  }

  private func missing(_ members: [String: JSONNode], _ fields: [Field], _ path: String) -> [ScenarioError.Problem] {
    fields.filter { $0.isRequired && members[$0.name] == nil }
      .map { .init(Self.join(path, $0.name), "This is missing; allowed is \($0.shape.words).") }
  }

  private func inside(_ members: [String: JSONNode], _ fields: [Field], _ path: String) -> [ScenarioError.Problem] {
    fields.flatMap { field in
      members[field.name].map { field.shape.problems(in: $0, at: Self.join(path, field.name)) } ?? []
    }
  }

  /// Letters to insert, remove or replace (Levenshtein 1966).
  private static func distance(_ left: String, _ right: String) -> Int {
    // Longer names are not typing errors, and a hostile one would cost time.
    let left = Array(left.unicodeScalars.prefix(64))
    let right = Array(right.unicodeScalars.prefix(64))
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (place, other) in right.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[place + 1]
        row[place + 1] = min(replaced, diagonal + 1, row[place] + 1)
      }
    }
    return row[right.count]
  }
}
