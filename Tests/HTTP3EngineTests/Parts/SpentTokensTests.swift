import Testing

@testable import HTTP3Engine

@Suite struct SpentTokensTests {
  private func insert(_ token: [UInt8], _ tokens: inout SpentTokens) -> SpentTokens.Insertion {
    token.withUnsafeBytes { tokens.insert($0) }
  }

  @Test func eachTokenIsFreshOnce() {
    var tokens = SpentTokens(capacity: 10)
    let one = [0x36] + [UInt8](0..<40)
    let other = [0x36] + [UInt8](1..<41)
    #expect(insert(one, &tokens) == .fresh)
    #expect(insert(other, &tokens) == .fresh)
    #expect(insert(one, &tokens) == .known)
    #expect(insert(other, &tokens) == .known)
  }

  @Test func theMemoryHasALimit() {
    var tokens = SpentTokens(capacity: 2)
    #expect(insert([1], &tokens) == .fresh)
    #expect(insert([2], &tokens) == .fresh)
    #expect(insert([3], &tokens) == .full)
    #expect(insert([1], &tokens) == .known)
    tokens.removeAll()
    #expect(insert([3], &tokens) == .fresh)
  }

  @Test func bytesOfAnyLengthAreTaken() {
    var tokens = SpentTokens(capacity: 1_000)
    for length in 0..<60 { _ = insert([UInt8](repeating: 0xff, count: length), &tokens) }
  }
}
