import Testing

@testable import ResolveKitSession

@Suite(.timeLimit(.minutes(10)))
struct UpdateChannelTests {
  @Test func everyReaderGetsEveryUpdateInOrder() async {
    let hub = UpdateHub()
    let readers = [hub.updates(), hub.updates()]
    for number in 0..<5000 { hub.send(.note("\(number)")) }
    hub.finish()
    for reader in readers {
      var notes: [String] = []
      for await case .note(let note) in reader { notes.append(note) }
      #expect(notes == (0..<5000).map { "\($0)" })
    }
  }

  @Test func roomIsThereOnceTheReaderHasCaughtUp() async {
    let channel = UpdateChannel()
    for number in 0..<UpdateChannel.capacity + 1 { channel.send(.note("\(number)")) }
    let waiting = Task { await channel.room() }
    for _ in 0..<3 { _ = await channel.next() }
    await waiting.value
  }

  @Test func readerThatLeavesHoldsUpNobody() async {
    let hub = UpdateHub()
    do {
      let reader = hub.updates()
      for number in 0..<UpdateChannel.capacity * 2 { hub.send(.note("\(number)")) }
      _ = reader
    }
    await hub.room()
  }
}
