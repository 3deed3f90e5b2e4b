import Foundation
import LinkEmulator
import LinkModel
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: Machine.mayMakeLinks, Comment(rawValue: Machine.reason)))
struct EmulatedLinkTests {
  private static let port: UInt16 = 4_800

  private func link(_ conditions: LinkConditions, capture: String? = nil) throws -> EmulatedLink {
    var options = EmulatedLink.Options()
    options.hasIPv6 = false
    options.wantsRealtime = false
    options.captureFolder = capture
    return try EmulatedLink(
      conditions: conditions, seed: LinkSeed(scenario: 7, repetition: 1), options: options)
  }

  private func sockets(_ link: EmulatedLink) throws -> (client: ProbeSocket, server: ProbeSocket) {
    let server = try link.run(on: .server) { () throws(EmulatorError) in
      let socket = try ProbeSocket(.udp)
      try socket.bind(LinkSide.server.address, port: Self.port)
      try socket.setTimeout(milliseconds: 10_000)
      return socket
    }
    let client = try link.run(on: .client) { () throws(EmulatorError) in
      let socket = try ProbeSocket(.udp)
      try socket.connect(LinkSide.server.address, port: Self.port)
      try socket.setTimeout(milliseconds: 10_000)
      return socket
    }
    return (client, server)
  }

  /// Receives a datagram, answers its source's port and content, and sends it back.
  private func echo(on socket: ProbeSocket) -> (port: UInt16, content: [UInt8]) {
    // A struct sockaddr_in, whose port is in its third and fourth byte.
    var source = [UInt8](repeating: 0, count: 16)
    var size = socklen_t(source.count)
    var buffer = [UInt8](repeating: 0, count: 2_000)
    let content = source.withUnsafeMutableBytes { source in
      let address = source.assumingMemoryBound(to: sockaddr.self).baseAddress
      let length = recvfrom(socket.number, &buffer, buffer.count, 0, address, &size)
      let content = Array(buffer[..<max(length, 0)])
      _ = sendto(socket.number, content, content.count, 0, address, size)
      return content
    }
    return (UInt16(source[2]) << 8 | UInt16(source[3]), content)
  }

  private func receive(on socket: ProbeSocket) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 2_000)
    let length = buffer.withUnsafeMutableBytes { socket.receive($0) }
    return Array(buffer[..<max(length, 0)])
  }

  @Test func anEchoOfTwoHundredPacketsLosesExactlyThePattern() throws {
    var toServer = DirectionConditions(oneWayDelayMilliseconds: 2)
    toServer.loss = .pattern([true, false, false, true, false])
    var toClient = DirectionConditions(oneWayDelayMilliseconds: 2)
    toClient.loss = .pattern([false, true])
    let folder = try TemporaryFolder()
    let link = try link(LinkConditions(toClient: toClient, toServer: toServer), capture: folder.root)
    try link.start()
    let (client, server) = try sockets(link)
    for index in 0..<200 { #expect([UInt8(index)].withUnsafeBytes { client.send($0) } == 1) }
    let arriving = (0..<200).filter { ![0, 3].contains($0 % 5) }
    for index in arriving { #expect(echo(on: server).content == [UInt8(index)]) }
    let returning = arriving.indices.filter { $0 % 2 == 0 }.map { arriving[$0] }
    for index in returning { #expect(receive(on: client) == [UInt8(index)]) }
    let log = link.stop()

    #expect(log.unloggedCount == 0)
    #expect(log.failedWrites == 0)
    let sent = log.entries.filter { $0.transport == .udp && $0.direction == .toServer }
    #expect(sent.count == 200)
    #expect(sent.indices.filter { sent[$0].verdict == .dropped } == (0..<200).filter { [0, 3].contains($0 % 5) })
    #expect(sent.allSatisfy { $0.bytes == 29 && $0.verdict == ($0.cause == .loss ? .dropped : .delivered) })
    let returned = log.entries.filter { $0.transport == .udp && $0.direction == .toClient }
    #expect(returned.count == 120)
    #expect(returned.count { $0.verdict == .dropped } == 60)
    #expect(log.lateness.count == log.entries.count { $0.verdict == .delivered })
    try checkCapture(log, folder)
  }

  private func checkCapture(_ log: PacketLog, _ folder: TemporaryFolder) throws {
    #expect(log.isCaptureComplete)
    #expect(log.captureError == nil)
    #expect(log.captureFiles.count == 2)
    let client = try PcapngReader(folder.bytes("client.pcapng")).packets.filter { $0.bytes[9] == 17 }
    let server = try PcapngReader(folder.bytes("server.pcapng")).packets.filter { $0.bytes[9] == 17 }
    #expect(client.count == 200 + 60)
    #expect(client.count { $0.comment == "dropped: loss" } == 80)
    #expect(server.count == 120 + 120)
    #expect(server.count { $0.comment == "dropped: loss" } == 60)
    let now = Date().timeIntervalSince1970
    for packet in client { #expect(abs(Double(packet.nanoseconds) / 1e9 - now) < 120) }
  }

  @Test func aNewBindingIsSeenByTheServerAndAnswersStillArrive() throws {
    let conditions = LinkConditions(
      bothWays: DirectionConditions(oneWayDelayMilliseconds: 0.5), rebinding: Rebinding(firstMilliseconds: 30))
    let link = try link(conditions)
    try link.start()
    let (client, server) = try sockets(link)
    try client.setTimeout(milliseconds: 200)
    var ports: [UInt16] = []
    // Each round trip takes a millisecond, so the binding changes long before the last.
    for round in 0..<5_000 where ports.count < 2 {
      let content = withUnsafeBytes(of: Int32(round).littleEndian) { Array($0) }
      #expect(content.withUnsafeBytes { client.send($0) } == 4)
      let (port, arrived) = echo(on: server)
      #expect(arrived == content)
      if ports.last != port { ports.append(port) }
      if ports.count == 2 {
        // Behind answers that came after the client had given them up.
        try client.setTimeout(milliseconds: 10_000)
        var answer = receive(on: client)
        while !answer.isEmpty, answer != content { answer = receive(on: client) }
        #expect(answer == content)
        break
      }
      // The answer to the last packet before the change may be lost with its binding.
      _ = receive(on: client)
    }
    #expect(ports.count == 2)
    link.stop()
  }

  @Test func bothEndsOfATCPConnectionUseThePinnedCongestionControl() throws {
    var options = EmulatedLink.Options()
    options.congestionControl = "reno"
    options.wantsRealtime = false
    let conditions = LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 1))
    let link = try EmulatedLink(
      conditions: conditions, seed: LinkSeed(scenario: 1, repetition: 1), options: options)
    try link.start()
    let (client, server) = try link.connectTCP(port: Self.port)
    #expect(client.congestionControl == "reno")
    #expect(server.congestionControl == "reno")
    let log = link.stop()
    #expect(log.entries.contains { $0.transport == .tcp })
  }

  @Test(.enabled(if: TCPTuning(minimumRTOMilliseconds: 20, hasLinearTimeouts: true, unsentBytes: 1).missing.isEmpty))
  func aTunedLinkHasItsSettingsOnBothSidesAndAnotherHasNot() throws {
    let names = ["tcp_rto_min_us", "tcp_thin_linear_timeouts", "tcp_notsent_lowat"]
    func settings(_ tuning: TCPTuning) throws -> (values: [[String]], timeoutMicroseconds: UInt32) {
      var options = EmulatedLink.Options()
      options.wantsRealtime = false
      options.tuning = tuning
      let conditions = LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 1))
      let link = try EmulatedLink(
        conditions: conditions, seed: LinkSeed(scenario: 1, repetition: 1), options: options)
      try link.start()
      defer { link.stop() }
      let values = try [LinkSide.client, .server].map { side in
        try link.run(on: side) { () throws(EmulatorError) in
          names.map { name in
            let text = try? String(contentsOfFile: "/proc/sys/net/ipv4/" + name, encoding: .utf8)
            return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "none"
          }
        }
      }
      let listener = try link.run(on: .server) { () throws(EmulatorError) in
        let socket = try ProbeSocket(.tcp)
        try socket.bind(LinkSide.server.address, port: Self.port)
        try socket.listen()
        return socket
      }
      // A busy machine's round trip may be long: the shortest time-out of several connections counts.
      var shortest = UInt32.max
      for _ in 0..<20 {
        let client = try link.run(on: .client) { () throws(EmulatorError) in
          let socket = try ProbeSocket(.tcp)
          try socket.setTimeout(milliseconds: 20_000)
          try socket.connect(LinkSide.server.address, port: Self.port)
          return socket
        }
        _ = try listener.accept()
        // tcpi_rto of struct tcp_info, after eight single bytes.
        var info = [UInt32](repeating: 0, count: 64)
        var size = socklen_t(info.count * 4)
        #expect(getsockopt(client.number, CInt(IPPROTO_TCP), TCP_INFO, &info, &size) == 0)
        shortest = min(shortest, info[2])
      }
      return (values, shortest)
    }
    let tuned = try settings(TCPTuning(minimumRTOMilliseconds: 20, hasLinearTimeouts: true, unsentBytes: 16_384))
    #expect(tuned.values == Array(repeating: ["20000", "1", "16384"], count: 2))
    #expect(tuned.timeoutMicroseconds < 200_000)
    let plain = try settings(TCPTuning())
    #expect(plain.values.allSatisfy { $0[0] == "200000" && $0[1] == "0" && $0[2] != "16384" }, "\(plain.values)")
    #expect(plain.timeoutMicroseconds >= 200_000)
  }

  @Test func aCongestionControlThatTheKernelLacksIsNamedWithThoseItHas() throws {
    var options = EmulatedLink.Options()
    options.congestionControl = "no-such-control"
    let conditions = LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 1))
    let error = #expect(throws: EmulatorError.self) {
      try EmulatedLink(conditions: conditions, seed: LinkSeed(scenario: 1, repetition: 1), options: options)
    }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("'no-such-control'") == true)
    for name in TCPCongestionControl.available { #expect(error?.message.contains(name) == true) }
  }

  @Test func aLinkIsStartedOnceAndStoppedPermanently() throws {
    let link = try link(LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 1)))
    try link.start()
    #expect(throws: EmulatorError.self) { try link.start() }
    let first = link.stop()
    let second = link.stop()
    #expect(first.started == second.started)
    #expect(first.stopped == second.stopped)
    let afterwards = #expect(throws: EmulatorError.self) { try link.start() }
    #expect(afterwards?.code == .state)
    let process = #expect(throws: EmulatorError.self) {
      try link.start(NamespacedCommand("/bin/true"), on: .client)
    }
    #expect(process?.code == .state)
  }

  @Test func nothingIsLeftOfALinkThatWasStoppedOrDropped() throws {
    let conditions = LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 1))
    var namespaces: Set<String> = [try stoppedLinkNamespace(conditions)]
    do {
      let dropped = try link(conditions)
      try dropped.start()
      _ = try dropped.start(NamespacedCommand("sleep", ["1000"], output: .discarded, error: .discarded), on: .server)
      namespaces.insert(try dropped.run(on: .server) { Machine.currentNamespace() })
    }
    #expect(namespaces.count == 2)
    #expect(!namespaces.contains(""))
    #expect(Machine.eventually { Machine.networkNamespaces().isDisjoint(with: namespaces) })
  }

  private func stoppedLinkNamespace(_ conditions: LinkConditions) throws -> String {
    let link = try link(conditions)
    let name = try link.run(on: .client) { Machine.currentNamespace() }
    #expect(Machine.networkNamespaces().contains(name))
    link.stop()
    return name
  }
}
