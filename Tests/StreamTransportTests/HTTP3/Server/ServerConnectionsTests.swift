import HTTP3Engine
import TestSupport
import Testing

@testable import StreamTransport

@Suite struct ServerConnectionsTests {
  @Test func handlersOutliveTheirConnection() throws {
    let certificate = try TestAuthority().issue().der
    let (key, other) = (ConnectionKey(rawValue: 1), ConnectionKey(rawValue: 2))
    var connections = ServerConnections()
    #expect(connections.isResumed(key) == nil)
    connections.handshakeCompleted(key, isResumed: true, certificate: certificate)
    connections.handshakeCompleted(other, isResumed: false, certificate: nil)
    #expect(connections.certificate(of: key)?.der == certificate && connections.certificate(of: other) == nil)
    #expect(connections.isResumed(key) == true && connections.isResumed(other) == false)
    connections.handlerStarted(key)
    connections.handlerStarted(key)
    #expect(connections.handlers(of: key) == 2 && connections.handlers(of: other) == 0)
    #expect(connections.closed(key) == true)
    #expect(connections.closed(key) == false)
    #expect(connections.handlers(of: key) == 2 && connections.isResumed(key) == nil)
    #expect(connections.certificate(of: key) == nil)
    connections.handlerReturned(key)
    connections.handlerReturned(key)
    #expect(connections.handlers(of: key) == 0)
  }

  @Test func talliesReportGrowthAndLookOnceASecond() {
    var tallies = ServerTallies()
    #expect(tallies.newRefusals(0) == nil)
    #expect(tallies.newRefusals(3) == 3)
    #expect(tallies.newRefusals(3) == nil)
    #expect(tallies.newRefusals(5) == 2)
    let start = Timestamp(nanoseconds: 5_000_000_000)
    #expect(tallies.isLookAtDropsDue(at: start) == true)
    #expect(tallies.isLookAtDropsDue(at: start + .milliseconds(999)) == false)
    #expect(tallies.isLookAtDropsDue(at: start + .seconds(1)) == true)
  }
}
