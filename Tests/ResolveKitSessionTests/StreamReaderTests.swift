import Testing

@testable import ResolveKitSession

struct StreamReaderTests {
  @Test func attemptsCountFromTheLastOpenStream() {
    var reader = StreamReader()
    let numbers = (0..<2).map { reader.attempted(at: .seconds($0)) }
    reader.opened()
    #expect(numbers + [reader.attempted(at: .seconds(3))] == [1, 2, 1])
  }

  @Test func aNewStreamWaitsASecondAfterTheLastAttempt() {
    var reader = StreamReader()
    #expect(reader.wait(at: .zero) == .zero)
    _ = reader.attempted(at: .seconds(5))
    #expect(reader.wait(at: .milliseconds(5_250)) == .milliseconds(750))
    #expect(reader.wait(at: .seconds(7)) == .zero)
  }
}
