import Foundation
import Hummingbird
import HummingbirdHTTP3
import Logging
import StreamTransport
import TestSupport
import Testing

/// Servers on sockets that another process, here the test, keeps open.
@Suite(.timeLimit(.minutes(10)))
struct InheritedSocketsTests {
  /// Keeps two sockets of one port, as systemd does for a `.socket` unit, and passes duplicates of them.
  private struct Keeper {
    let tcp: BoundSocket
    let udp: BoundSocket

    static func make() throws -> Keeper {
      while true {
        let tcp = try BoundSocket(.tcp)
        // The port may be taken for UDP: then another.
        guard let udp = try? BoundSocket(.udp, port: tcp.port) else { continue }
        try tcp.listen(queue: 16)
        return Keeper(tcp: tcp, udp: udp)
      }
    }

    func pass() throws -> InheritedSockets {
      try InheritedSockets([udp, tcp].map { try InheritedSocket(taking: dup($0.descriptor)) })
    }
  }

  private static var router: Router<BasicRequestContext> {
    let router = Router()
    router.get("greet") { _, _ in "hello" }
    return router
  }

  /// Nobody serves when the request is sent; it waits in the socket until the next server has it.
  @Test(arguments: TransportKindUnderTest.allCases)
  func aRequestBetweenTwoServersIsAnswered(_ kind: TransportKindUnderTest) async throws {
    let keeper = try Keeper.make()
    let certificate = try DevelopmentCertificate.make()
    let first = try await ServerUnderTest(Self.router, certificate: certificate, sockets: try keeper.pass())
    #expect(first.port == Int(keeper.tcp.port))
    let early = first.client(kind)
    #expect(try await early.send(.test(.get, "/greet")).head.status == .ok)
    await early.close()
    await first.shutdown()

    let late = kind.makeTransport(port: first.port, certificatePEM: certificate.certificatePEM)
    let answer = Task { try await late.send(.test(.get, "/greet")).body.collect(upTo: 100) }
    let descriptor = kind == .http3 ? keeper.udp.descriptor : keeper.tcp.descriptor
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, 10) == 0 { await Task.yield() }
    let second = try await ServerUnderTest(Self.router, certificate: certificate, sockets: try keeper.pass())
    #expect(try await answer.value == Array("hello".utf8))
    await late.close()
    await second.shutdown()
  }

  @Test func socketsServeOneServer() async throws {
    let sockets = try Keeper.make().pass()
    let server = try await ServerUnderTest(Self.router, sockets: sockets)
    do {
      _ = try await ServerUnderTest(Self.router, sockets: sockets)
      Issue.record("the same sockets were served twice")
    } catch let error as MultiProtocolError {
      #expect(error.code == .tcp && error.message.contains("was given to a server before"))
    }
    await server.shutdown()
  }

  @Test func whatIsNoPairIsRefusedWithTheUnitsRemedy() throws {
    let keeper = try Keeper.make()
    let other = try BoundSocket(.udp)
    let tcp = try InheritedSocket(taking: dup(keeper.tcp.descriptor))
    let udp = try InheritedSocket(taking: dup(keeper.udp.descriptor))
    let elsewhere = try InheritedSocket(taking: dup(other.descriptor))
    let rows: [([InheritedSocket], String)] = [
      ([], "No TCP socket was passed"), ([udp], "No TCP socket was passed"), ([tcp], "No UDP socket was passed"),
      ([tcp, udp, tcp], "2 TCP sockets were passed"), ([tcp, udp, elsewhere], "2 UDP sockets were passed"),
      ([tcp, elsewhere], "different ports"),
    ]
    for (sockets, reason) in rows {
      let error = #expect(throws: MultiProtocolError.self) { _ = try InheritedSockets(sockets) }
      #expect(error?.code == .sockets)
      #expect(error?.message.contains(reason) == true && error?.message.contains("Listen") == true)
    }
    let pair = try InheritedSockets([udp, tcp])
    #expect(pair.address == "127.0.0.1" && pair.port == Int(keeper.tcp.port))
  }
}
