import ResolveKitCore
import Testing

@testable import ResolveKitNetworking

struct ToolFingerprintTests {
  @Test func itIsTheHashOfTheScopesBytes() {
    let definition = ResolveKitDefinition(name: "n", description: "d")
    let scope = ApprovalScope.bytes(server: "s", definition: definition, isIdempotent: false)
    let text = "27:resolvekit-approval-scope-1" + "1:s" + "1:n" + "1:d" + "2:{}" + "2:\u{1}\u{0}" + "1:\u{0}"
    #expect(scope == Array(text.utf8))
    // printf '…' | sha256sum
    #expect(
      ToolFingerprint.make(server: "s", definition: definition, isIdempotent: false)
        == "cea6ac0c49b1f8083b901b4a2951c887373b3c16d8b18afd501f4148ff050f89")
  }

  @Test func anotherServerOrDefinitionIsAnotherTool() {
    let one = ResolveKitDefinition(name: "n", description: "d")
    var other = one
    other.description = "e"
    let prints = [
      ToolFingerprint.make(server: "s", definition: one, isIdempotent: false),
      ToolFingerprint.make(server: "t", definition: one, isIdempotent: false),
      ToolFingerprint.make(server: "s", definition: one, isIdempotent: true),
      ToolFingerprint.make(server: "s", definition: other, isIdempotent: false),
    ]
    #expect(Set(prints).count == prints.count)
    #expect(prints.allSatisfy { ToolFingerprint.isOne($0) })
    #expect(!ToolFingerprint.isOne(""))
    #expect(!ToolFingerprint.isOne(String(repeating: "A", count: 64)))
  }
}
