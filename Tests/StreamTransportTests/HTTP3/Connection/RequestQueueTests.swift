import Testing

@testable import StreamTransport

@Suite struct RequestQueueTests {
  /// The numbers of the `places` that were admitted or refused.
  private func answered(_ places: [RequestQueue.Place]) -> [Int] {
    places.indices.filter { !places[$0].answer(.failure(CancellationError())) }
  }

  @Test func whoWaitedLongestGoesFirst() {
    var queue = RequestQueue()
    let places = (0..<4).map { _ in RequestQueue.Place() }
    for place in places { queue.append(place) }
    queue.admit(upTo: 0)
    #expect(queue.count == 4)
    queue.admit(upTo: 2)
    // The same two streams again: they are those two's until they are back.
    queue.admit(upTo: 2)
    #expect(queue.count == 2)
    #expect(!queue.hasRoom(of: 2) && queue.hasRoom(of: 3))
    queue.didEnter()
    queue.admit(upTo: 2)
    #expect(queue.count == 1)
    #expect(answered(places) == [0, 1, 2])
  }

  @Test func whoGaveUpTakesNobodysPlace() {
    var queue = RequestQueue()
    let places = (0..<4).map { _ in RequestQueue.Place() }
    for place in places { queue.append(place) }
    places[0].answer(.failure(CancellationError()))
    queue.remove(places[1])
    queue.admit(upTo: 1)
    #expect(queue.count == 1 && !queue.hasRoom(of: 1))
    queue.remove(places[0])
    #expect(answered(places) == [0, 2])
  }

  @Test func nobodyWaitsWhereTheEndHasCome() async {
    var queue = RequestQueue()
    let place = RequestQueue.Place()
    queue.append(place)
    queue.fail(UnsentRequest(reason: .init(.connectionLost, "gone")))
    #expect(queue.count == 0)
    await #expect(throws: UnsentRequest.self) { try await place.value() }
  }
}
