import Foundation
import HTTP3Engine
import Testing

@testable import StreamTransport

extension UDPSocketTests {
  /// Another process keeps the socket. What comes before a server has it, and between two of them, is served with its path
  /// and its mark as if the server had bound the socket itself.
  @Test(arguments: ["127.0.0.1", "0.0.0.0", "::1", "::"])
  func whatWaitsInAnInheritedSocketIsReceived(_ literal: String) throws {
    let keeper = try BoundSocket(.udp, at: literal)
    let targets = literal == "::" ? ["127.0.0.1", "::1"] : [literal.contains(":") ? "::1" : "127.0.0.1"]
    for _ in 0..<2 {
      var sent: [Arrival] = []
      for target in targets {
        let address = try #require(NetworkAddress(literal: target, port: keeper.port))
        let client = try UDPSocket(connectingTo: address)
        let own = try #require(client.path).local
        for number in UInt8(0)..<50 {
          let bytes = [number] + [UInt8](repeating: 7, count: 39)
          #expect(client.send(bytes, ecn: .ect0) == .done)
          sent.append(Arrival(bytes: bytes, path: NetworkPath(local: address, remote: own), ecn: .ect0))
        }
      }
      let passed = try InheritedSocket(taking: dup(keeper.descriptor))
      #expect(passed.kind == .udp && passed.address == literal && passed.port == Int(keeper.port))
      let server = try UDPSocket(adopting: passed.take(.udp))
      #expect(server.localAddress.port == keeper.port)
      #expect(arrivals(at: server, expecting: sent.count).0 == sent)
      // And what comes later has the same paths, so that no client seems to have moved.
      let back = try #require(sent.last?.path)
      let client = try UDPSocket(connectingTo: back.local)
      #expect(client.send([UInt8](repeating: 1, count: 40)) == .done)
      #expect(arrivals(at: server).0.map(\.path.local) == [back.local])
      let outcome = [UInt8](repeating: 2, count: 40).withUnsafeBytes {
        server.send($0, segmentSize: 40, path: NetworkPath(local: back.local, remote: client.localAddress), ecn: .ect0)
      }
      #expect(outcome == .done)
      #expect(arrivals(at: client).0.count == 1)
      server.close()
    }
  }
}

@Suite struct InheritedSocketTests {
  /// A descriptor that no server can use.
  enum Wrong: CaseIterable {
    case closed, file, unix, unbound, connectedUDP, connectedTCP

    var reason: String {
      switch self {
      case .closed: "is not open"
      case .file: "is no socket"
      case .unix: "another protocol"
      case .unbound: "bound to no port"
      case .connectedUDP, .connectedTCP: "is one connection"
      }
    }

    /// The descriptor, and what has to stay alive beside it.
    func make() throws -> (CInt, AnyObject?) {
      // SOCK_STREAM and SOCK_DGRAM of Linux: which module has their enum depends on what else is built.
      let (stream, datagrams): (CInt, CInt) = (1, 2)
      switch self {
      case .closed: return (-1, nil)
      case .file: return (open("/dev/null", O_RDONLY), nil)
      case .unix: return (socket(AF_UNIX, datagrams, 0), nil)
      case .unbound: return (socket(AF_INET, datagrams, 0), nil)
      case .connectedUDP, .connectedTCP:
        let peer = try BoundSocket(self == .connectedUDP ? .udp : .tcp)
        if self == .connectedTCP { try peer.listen(queue: 1) }
        let descriptor = socket(AF_INET, self == .connectedUDP ? datagrams : stream, 0)
        try NetworkAddress.loopback(port: peer.port).connect(descriptor)
        return (descriptor, peer)
      }
    }
  }

  /// It stays the caller's, who may have another use for it.
  @Test(arguments: Wrong.allCases) func theWrongKindIsRefusedAndStaysOpen(_ wrong: Wrong) throws {
    let (descriptor, peer) = try wrong.make()
    let error = #expect(throws: TransportError.self) { _ = try InheritedSocket(taking: descriptor) }
    #expect(error?.code == .invalidRequest)
    #expect(error?.message.contains(wrong.reason) == true, "\(error?.message ?? "none")")
    #expect(close(descriptor) == (wrong == .closed ? -1 : 0))
    withExtendedLifetime(peer) {}
  }

  @Test func aSocketIsTakenOnceAndForItsKind() throws {
    let bound = try BoundSocket(.tcp)
    let passed = try InheritedSocket(taking: dup(bound.descriptor))
    #expect(throws: TransportError.self) { try passed.take(.udp) }
    let number = try passed.take(.tcp)
    let again = #expect(throws: TransportError.self) { try passed.take(.tcp) }
    #expect(again?.message.contains("was given to a server before") == true)
    #expect(close(number) == 0)
  }
}
