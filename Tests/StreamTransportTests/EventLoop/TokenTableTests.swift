import StreamTransport
import Testing

@Suite struct TokenTableTests {
  @Test func aTokenFindsItsValueUntilItIsRemoved() {
    var table = TokenTable<String>()
    let (first, second) = (table.insert("first"), table.insert("second"))
    #expect(table[first] == "first" && table[second] == "second")
    #expect(table.remove(first) == "first")
    #expect(table[first] == nil)
    #expect(table.remove(first) == nil)
    #expect(table.values == ["second"])
  }

  /// The kernel may have reported a socket whose handler an earlier one of the same turn removed.
  @Test func aPlaceThatIsUsedAgainHasAnotherToken() {
    var table = TokenTable<Int>()
    let first = table.insert(1)
    table.remove(first)
    let second = table.insert(2)
    #expect(first != second)
    #expect(table[first] == nil)
    #expect(table.remove(first) == nil)
    #expect(table[second] == 2)
  }

  @Test func theLoopsOwnTokensAreNobodys() {
    var table = TokenTable<Int>()
    for number in 0..<10 { #expect(table.insert(number) > 1) }
    #expect(table[0] == nil && table[1] == nil && table[.max] == nil)
  }
}
