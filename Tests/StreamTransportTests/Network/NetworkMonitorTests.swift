import HTTP3Engine
import StreamTransport
import Testing

@Suite struct NetworkMonitorTests {
  @Test func manyHintsReachEachListenerOnce() async throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let (calls, source) = AsyncStream.makeStream(of: String.self)
    loop.execute {
      let monitor = loop.networkMonitor
      let leaving = monitor.add { source.yield("one that has left") }
      _ = monitor.add {
        source.yield("changed")
        // Behind all that this turn of the loop still brings.
        loop.execute { source.finish() }
      }
      for _ in 1...3 { monitor.suspectChange() }
      monitor.remove(leaving)
    }
    var reported: [String] = []
    for await call in calls { reported.append(call) }
    #expect(reported == ["changed"])
  }

  @Test func loopbackIsAnAddressOfThisMachineAndADocumentationsIsNot() {
    #expect(LocalAddresses.contain(.loopback(port: 4_433)))
    #expect(!LocalAddresses.contain(NetworkAddress(ip: .v4(0xc000_0201), port: 4_433)))
  }
}
