import TestSupport
import Testing

@testable import ResolveKitCore

/// The bytes that an approval is bound to: no two scopes share them.
struct ApprovalScopeTests {
  private func bytes(
    _ server: String = "s", _ name: String = "n", _ description: String = "d", schema: JSONObject = [:],
    approval: Bool = true, pack: String? = nil, idempotent: Bool = false
  ) -> [UInt8] {
    ApprovalScope.bytes(
      server: server,
      definition: ResolveKitDefinition(
        name: name, description: description, parametersSchema: schema, requiresApproval: approval, packName: pack),
      isIdempotent: idempotent)
  }

  @Test func everyFieldCounts() {
    let all = [
      bytes(), bytes("s2"), bytes("s", "n2"), bytes("s", "n", "d2"), bytes(schema: ["a": 1]), bytes(schema: ["a": 2]),
      bytes(approval: false), bytes(pack: ""), bytes(pack: "p"), bytes(idempotent: true),
      // The same text, cut elsewhere.
      bytes("sn", "", "d"), bytes("", "sn", "d"), bytes("s", "", "nd"), bytes("a:b", "c"), bytes("a", "b:c"),
      bytes("1:s"), bytes("s1:n", ""), bytes("caf\u{E9}"), bytes("cafe\u{301}"), bytes("s\u{0}"),
    ]
    #expect(Set(all).count == all.count)
  }

  @Test func whatDoesNotChangeTheToolDoesNotCount() {
    var definition = ResolveKitDefinition(name: "n", description: "d", parametersSchema: ["b": 1, "a": [true, nil]])
    let before = ApprovalScope.bytes(server: "s", definition: definition, isIdempotent: false)
    definition.timeoutSeconds = 7
    definition.parametersSchema = ["a": [true, nil], "b": 1]
    #expect(ApprovalScope.bytes(server: "s", definition: definition, isIdempotent: false) == before)
  }

  @Test func randomFieldsThatDifferGiveBytesThatDiffer() {
    let seed: UInt64 = 11
    var random = SeededGenerator(seed: seed)
    var seen: [[UInt8]: [String]] = [:]
    let pieces = ["", "1:", ":", "a", "2:a", "0:", "\u{0}", "12:", "1:a"]
    for _ in 0..<5_000 {
      let fields = (0..<3).map { _ in
        (0..<Int.random(in: 0...3, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      }
      let scope = bytes(fields[0], fields[1], fields[2])
      #expect(seen[scope] ?? fields == fields, "seed \(seed)")
      seen[scope] = fields
    }
    #expect(seen.count > 1_000)
  }
}
