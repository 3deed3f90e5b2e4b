import Testing

@testable import LinkModel

@Suite struct RebindingTests {
  static let shapes = PacketBuilder.Network.allCases.flatMap { network in
    PacketBuilder.Transport.allCases.map { PacketBuilder(network: network, transport: $0) }
  }

  static func run(changesAddress: Bool = false, delayMilliseconds: Double = 10) throws -> LinkRun {
    let rebinding = Rebinding(firstMilliseconds: 1000, everyMilliseconds: 5000, changesAddress: changesAddress)
    return try LinkRun(rebinding: rebinding) { $0.oneWayDelayMilliseconds = delayMilliseconds }
  }

  /// The client's packet as the server sees it.
  static func arriving(
    _ run: inout LinkRun, _ packet: LinkPacket, _ direction: LinkDirection, atMilliseconds time: Double
  ) throws -> [UInt8]? {
    let entry = try #require(run.send(packet, direction, atMilliseconds: time).first)
    guard entry.verdict == .delivered else {
      #expect(entry.cause == .oldBinding && entry.due == nil)
      return nil
    }
    run.deliver()
    return run.deliveries.last?.bytes
  }

  @Test("Ports and addresses change at set times, replies to the current binding come back, others are dropped")
  func everyShape() throws {
    for changesAddress in [false, true] {
      for shape in Self.shapes {
        var run = try Self.run(changesAddress: changesAddress)
        var seen: [(port: UInt16, host: UInt8)] = []
        for time in [0.0, 999, 1000, 5999, 6000, 11_000] {
          let bytes = try #require(try Self.arriving(&run, shape.packet, .toServer, atMilliseconds: time))
          #expect(shape.hasRightChecksums(bytes))
          #expect(Array(bytes.suffix(4)) == shape.payload)
          seen.append((shape.port(bytes, isSource: true), shape.host(bytes, isSource: true)))
          var reply = shape
          reply.isToServer = false
          for binding in seen {
            reply.clientPort = binding.port
            reply.clientHost = binding.host
            let back = try Self.arriving(&run, reply.packet, .toClient, atMilliseconds: time + 1)
            let isCurrent = try binding == #require(seen.last) && ![999, 5999].contains(time)
            #expect((back != nil) == isCurrent, "\(binding) at \(time)")
            guard let back else { continue }
            #expect(reply.hasRightChecksums(back))
            #expect(reply.port(back, isSource: false) == 50_000 && reply.host(back, isSource: false) == 100)
          }
        }
        #expect(seen[0] == (50_000, 100) && seen[1] == seen[0] && seen[3] == seen[2])
        #expect(Set([seen[0], seen[2], seen[4], seen[5]].map(\.port)).count == 4)
        #expect(Set([seen[0], seen[2], seen[4], seen[5]].map(\.host)).count == (changesAddress ? 4 : 1))
      }
    }
  }

  @Test("A reply under way when the bindings change is lost")
  func underWay() throws {
    var run = try Self.run(delayMilliseconds: 50)
    let up = PacketBuilder()
    run.send(up.packet, atMilliseconds: 0)
    var down = up
    down.isToServer = false
    #expect(run.send(down.packet, .toClient, atMilliseconds: 949)[0].verdict == .delivered)
    #expect(run.send(down.packet, .toClient, atMilliseconds: 951)[0].cause == .oldBinding)
    // The same between the first and the second rebinding, to a binding that was current when it was sent.
    let bytes = try #require(try Self.arriving(&run, up.packet, .toServer, atMilliseconds: 5000))
    down.clientPort = up.port(bytes, isSource: true)
    #expect(run.send(down.packet, .toClient, atMilliseconds: 5949)[0].verdict == .delivered)
    #expect(run.send(down.packet, .toClient, atMilliseconds: 5951)[0].cause == .oldBinding)
    #expect(run.link.rebindings(at: 999 * LinkRun.millisecond) == 0)
    #expect(run.link.rebindings(at: 1000 * LinkRun.millisecond) == 1)
    #expect(run.link.rebindings(at: 6000 * LinkRun.millisecond) == 2)
  }

  @Test("Sockets get ports of their own, the same for the same seed whatever the order; too many are dropped")
  func manySockets() throws {
    func ports(_ clientPorts: some Sequence<UInt16>) throws -> [UInt16: UInt16] {
      var run = try Self.run()
      run.send(PacketBuilder().packet, atMilliseconds: 0)
      var ports: [UInt16: UInt16] = [:]
      for port in clientPorts {
        let builder = PacketBuilder(clientPort: port)
        guard let bytes = try Self.arriving(&run, builder.packet, .toServer, atMilliseconds: 2000) else { continue }
        ports[port] = builder.port(bytes, isSource: true)
      }
      return ports
    }
    let few = try ports(40_000..<40_020)
    #expect(try ports((40_000..<40_020).reversed()) == few)
    let many = try ports(20_000..<30_000)
    #expect(many.count == NATTable.mostBindings && Set(many.values).count == many.count)
    #expect(many.values.allSatisfy { $0 >= 1024 })
  }

  @Test("Hosts are in the same /24, other than the original, and none comes again within 253 rebindings")
  func hosts() throws {
    let rebinding = Rebinding(firstMilliseconds: 1, everyMilliseconds: 1, changesAddress: true)
    var run = try LinkRun(rebinding: rebinding) { _ in }
    let builder = PacketBuilder()
    run.send(builder.packet, atMilliseconds: 0)
    var hosts: [UInt8] = []
    for time in 1...253 {
      let bytes = try #require(try Self.arriving(&run, builder.packet, .toServer, atMilliseconds: Double(time)))
      #expect(Array(bytes[12..<15]) == [198, 18, 0] && builder.hasRightChecksums(bytes))
      hosts.append(builder.host(bytes, isSource: true))
      // So that no port is one of the three rebindings before.
      #expect(Int(builder.port(bytes, isSource: true)) % 4 == time % 4)
    }
    #expect(Set(hosts).count == 253 && !hosts.contains(0) && !hosts.contains(100) && !hosts.contains(255))
  }

  @Test("A bare payload tells its binding, and one to an old binding is dropped")
  func barePayload() throws {
    var run = try Self.run()
    func packet(_ binding: Int?) -> LinkPacket { LinkPacket(bytes: [1, 2], framing: .udpPayload, binding: binding) }
    run.send(packet(nil), atMilliseconds: 0)
    run.send(packet(nil), atMilliseconds: 1500)
    run.deliver()
    #expect(run.deliveries.map(\.rebinding) == [0, 1] && run.deliveries.allSatisfy { $0.bytes == [1, 2] })
    let verdicts = [0, 1, 2, nil].map { run.send(packet($0), .toClient, atMilliseconds: 1500)[0].verdict }
    #expect(verdicts == [.dropped, .delivered, .dropped, .delivered])
    run.deliver()
    #expect(run.deliveries.suffix(2).map(\.rebinding) == [1, 1])
    var plain = try LinkRun { _ in }
    plain.send(packet(nil), atMilliseconds: 0)
    plain.deliver()
    #expect(plain.deliveries.map(\.rebinding) == [nil])
  }
}
