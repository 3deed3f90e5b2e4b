import Testing

@testable import hostile_server

@Suite struct HostileTableTests {
  @Test func namesAreUniqueAndPlain() {
    let names = HostileCase.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil })
  }

  @Test(arguments: HostileCase.all)
  func everyRowSaysWhatAClientHasToDoAndWhy(_ row: HostileCase) {
    #expect(row.rule.wholeMatch(of: /RFC \d{4} § \d+(\.\d+)*/) != nil, "\(row.rule)")
    #expect(!row.does.isEmpty)
    #expect(!row.demands.isEmpty)
    #expect(Set(row.demands).count == row.demands.count)
    #expect(!row.scripts.isEmpty && row.scripts.allSatisfy { !$0.isEmpty })
  }
}

extension HostileCase: CustomTestStringConvertible {
  public var testDescription: String { name }
}
