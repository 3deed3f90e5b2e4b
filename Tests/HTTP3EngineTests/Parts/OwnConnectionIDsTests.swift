import Testing

@testable import HTTP3Engine

/// The reports about a connection's own ids (RFC 9000 § 5.1.1).
@Suite struct OwnConnectionIDsTests {
  private func id(_ byte: UInt8) -> ConnectionID { [byte, byte].withUnsafeBytes { ConnectionID($0) } }

  private func drain(_ ids: inout OwnConnectionIDs) -> [String] {
    var found: [String] = []
    while let change = ids.takeChange() {
      switch change {
      case .added(let new): found.append(new == id(1) ? "+1" : "+2")
      case .removed(let old): found.append(old == id(1) ? "-1" : "-2")
      }
    }
    return found
  }

  @Test func anEndpointLearnsOfEachChangeInOrder() {
    var ids = OwnConnectionIDs(resetSecret: [1])
    ids.didAdd(id(1))
    ids.didAdd(id(2))
    ids.didRemove(id(1))
    #expect(drain(&ids) == ["+1", "+2", "-1"])
    #expect(drain(&ids).isEmpty)
  }

  @Test func aClientKeepsNothing() {
    var ids = OwnConnectionIDs(resetSecret: nil)
    for _ in 0..<1_000 {
      ids.didAdd(id(1))
      ids.didRemove(id(1))
    }
    #expect(drain(&ids).isEmpty)
    guard case .random = ids.tokens else { return #expect(Bool(false), "A client's tokens are derived from nothing.") }
  }
}
