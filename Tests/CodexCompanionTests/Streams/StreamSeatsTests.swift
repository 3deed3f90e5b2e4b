import JSONService
import Testing

struct StreamSeatsTests {
  @Test func seatsAreLimitedAndFreeAgain() {
    let seats = StreamSeats(limitPerClient: 16, limit: 512)
    var taken = (0..<16).compactMap { _ in seats.take(for: "d") }
    #expect(taken.count == 16 && seats.take(for: "d") == nil)
    #expect(seats.take(for: "e") != nil)
    taken[0].leave()
    taken[0].leave()
    #expect(seats.count == 15)
    taken = []
    #expect(seats.count == 0)
  }
}
