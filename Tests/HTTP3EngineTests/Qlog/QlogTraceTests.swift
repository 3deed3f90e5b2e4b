import Foundation
import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// Traces of whole connections, read back.
@Suite struct QlogTraceTests {
  /// Both sides' traces of one run.
  private struct Run {
    var client: ReadTrace
    var server: ReadTrace
    var clientBytes: [UInt8] = []
    var outputs: [QlogOutput] = []
  }

  private static func run(
    dropped: (toServer: [Int], toClient: [Int]) = ([], []), paths: [String] = ["/bytes/400000"],
    qlog: QlogConfiguration = QlogConfiguration(), congestion: CongestionControl = .cubic,
    body: [UInt8]? = nil, duplication: Double? = nil
  ) throws -> Run {
    var conditions = VirtualLink.plain
    conditions.toServer.droppedUDPPackets = dropped.toServer
    conditions.toClient.droppedUDPPackets = dropped.toClient
    conditions.toServer.duplicationRate = duplication
    let pair = try QUICPair.make(
      conditions: conditions,
      clientLimits: {
        $0.qlog = qlog
        $0.congestionControl = congestion
      },
      server: {
        $0.connection.qlog = qlog
        $0.connection.congestionControl = congestion
      })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    for path in paths { client.send(body == nil ? "GET" : "POST", path, body: body) }
    var clientBytes: [UInt8] = []
    var serverBytes: [UInt8] = []
    var outputs: [QlogOutput] = []
    func take() {
      if let output = pair.client.takeQlog() {
        clientBytes += output.bytes
        outputs.append(output)
      }
      for (_, output) in pair.server.takeQlog() {
        serverBytes += output.bytes
        outputs.append(output)
      }
    }
    try pair.run {
      take()
      return client.isDone
    }
    // What is on the link arrives, and what was lost at the end is found out.
    try pair.run(for: .seconds(3))
    pair.client.close(.noError, reason: "Done: \"all\"\n", at: pair.now)
    try pair.run(for: .seconds(3))
    take()
    #expect(server.keys.count == 1)
    return Run(
      client: try ReadTrace(clientBytes), server: try ReadTrace(serverBytes), clientBytes: clientBytes, outputs: outputs
    )
  }

  /// RFC 9002 § 2.
  private static func isAckEliciting(_ frame: [String: Any]) -> Bool {
    !["ack", "padding", "connection_close"].contains(frame["frame_type"] as? String)
  }

  @Test func whatOneSideSendsTheOtherReceives() throws {
    let dropped = (toServer: [1, 7, 8, 20, 31], toClient: [2, 9, 15, 16, 17, 60, 150])
    let run = try Self.run(dropped: dropped)
    for (sender, receiver, lost) in [
      (run.client, run.server, Set(dropped.toServer)), (run.server, run.client, Set(dropped.toClient)),
    ] {
      let sent = sender["transport:packet_sent"]
      #expect(sent.count > 20)
      for kinds in [["initial"], ["handshake"], ["0RTT", "1RTT"]] {
        let numbers = sent.filter { kinds.contains($0.kind) }.map(\.number)
        #expect(!numbers.isEmpty || kinds.contains("0RTT"))
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
      }
      let received = Dictionary(grouping: receiver["transport:packet_received"], by: \.packet)
      var missing = 0
      for packet in sent {
        let arrivals = received[packet.packet] ?? []
        guard !lost.contains(packet.datagram) else {
          #expect(arrivals.isEmpty, "\(packet.packet) was lost on the link")
          continue
        }
        // The closing packet comes again and again, and is read once.
        guard let arrival = arrivals.first else {
          missing += 1
          #expect(packet.kind != "1RTT", "\(packet.packet) has not arrived")
          continue
        }
        #expect(arrivals.count == 1)
        #expect(arrival.hasFrames(of: packet), "\(packet.packet)")
        #expect((arrival.data["raw"] as? NSDictionary) == (packet.data["raw"] as? NSDictionary))
        #expect(arrival.header["dcid"] as? String == packet.header["dcid"] as? String)
      }
      // Those of the handshake whose keys are gone by then.
      #expect(missing <= receiver["transport:packet_dropped"].count)
      #expect(received.values.reduce(0) { $0 + $1.count } + missing + lostCount(sent, lost) == sent.count)
    }
    #expect(run.client["recovery:packet_lost"].allSatisfy { $0.number >= 0 })
  }

  private func lostCount(_ sent: [ReadTrace.Event], _ lost: Set<Int>) -> Int {
    sent.count { lost.contains($0.datagram) }
  }

  @Test(arguments: [CongestionControl.cubic, .reno, .bbr])
  func lostPacketsAreReportedAndNoOthers(_ congestion: CongestionControl) throws {
    let dropped = (toServer: [12, 13, 30], toClient: [20, 21, 40, 60, 61])
    let run = try Self.run(dropped: dropped, congestion: congestion)
    for (trace, numbers) in [(run.client, Set(dropped.toServer)), (run.server, Set(dropped.toClient))] {
      let gone = trace["transport:packet_sent"].filter { packet in
        numbers.contains(packet.datagram) && packet.kind == "1RTT"
          && packet.frames.contains(where: Self.isAckEliciting)
      }
      #expect(Set(trace["recovery:packet_lost"].map(\.packet)) == Set(gone.map(\.packet)))
    }
    #expect(!run.server["recovery:packet_lost"].isEmpty)
    #expect(run.server["recovery:congestion_state_updated"].isEmpty == (congestion == .reno))
    #expect(run.server["recovery:loss_timer_updated"].contains { $0.data["event_type"] as? String == "set" })
  }

  @Test func theHeaderSaysWhatItIsAndWhatIsAbsent() throws {
    var qlog = QlogConfiguration()
    qlog.epoch = .seconds(1_700_000_000)
    let run = try Self.run(qlog: qlog)
    for (trace, side) in [(run.client, "client"), (run.server, "server")] {
      #expect(trace.header["qlog_version"] as? String == "0.3")
      #expect(trace.header["qlog_format"] as? String == "JSON-SEQ")
      let inner = try #require(trace.header["trace"] as? [String: Any])
      #expect((inner["vantage_point"] as? [String: Any])?["type"] as? String == side)
      #expect((inner["description"] as? String)?.contains("why a packet was lost") == true)
      let common = try #require(inner["common_fields"] as? [String: Any])
      #expect(common["time_format"] as? String == "relative")
      #expect(common["protocol_type"] as? [String] == ["QUIC", "HTTP3"])
      let started = try #require(trace["connectivity:connection_started"].first)
      #expect(common["ODCID"] as? String == common["group_id"] as? String)
      #expect(run.outputs.contains { $0.name == "\(common["ODCID"] as? String ?? "")_\(side)" })
      #expect(started.data["src_port"] as? Int == 40_000 && started.data["dst_port"] as? Int == 443)
      #expect(started.data["src_ip"] as? String == "10.0.0.1")
      // Relative to the second at which the pair's clock starts.
      #expect((common["reference_time"] as? Double ?? 0) >= 1_700_000_001_000)
      let times = trace.events.map(\.time)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }

  @Test func theLifeOfAConnectionIsReported() throws {
    let run = try Self.run(paths: ["/bytes/50000", "/echo?key=hunter2"])
    for (trace, last) in [(run.client, ["closing"]), (run.server, ["draining", "closed"])] {
      let states = trace["connectivity:connection_state_updated"].map { $0.data["new"] as? String ?? "" }
      #expect(
        Array(states.prefix(4)) == ["attempted", "handshake_started", "handshake_complete", "handshake_confirmed"])
      #expect(Array(states.dropFirst(4).prefix(last.count)) == last)
      #expect(trace["transport:parameters_set"].map { $0.data["owner"] as? String } == ["local", "remote"])
      #expect(trace["transport:alpn_information"].first?.data["chosen_alpn"] as? String == "h3")
      #expect(Set(trace["http:parameters_set"].map { $0.data["owner"] as? String }) == ["local", "remote"])
      #expect(trace["http:stream_type_set"].count == 6)
      #expect(trace["recovery:metrics_updated"].contains { $0.data["smoothed_rtt"] as? Double ?? 0 >= 40 })
      #expect(trace["security:key_retired"].contains { $0.data["key_type"] as? String == "client_initial_secret" })
      let closed = try #require(trace["connectivity:connection_closed"].first)
      #expect(closed.data["application_code"] as? String == "http_no_error")
      #expect(closed.data["trigger"] as? String == "clean")
    }
    #expect(run.client["connectivity:connection_closed"].first?.data["owner"] as? String == "local")
    #expect(run.server["connectivity:connection_closed"].first?.data["owner"] as? String == "remote")
    #expect(run.client["connectivity:connection_closed"].first?.data["reason"] as? String == "Done: \"all\"\n")
    // The client's limits are those that the server received.
    let local = try #require(run.client["transport:parameters_set"].first).data["initial_max_data"] as? Int
    #expect(try #require(run.server["transport:parameters_set"].last).data["initial_max_data"] as? Int == local)
  }

  @Test func messagesAreReportedWithTheLengthsOfTheirFrames() throws {
    let run = try Self.run(paths: ["/echo"], body: EchoServer.pattern(30_000))
    func frames(_ trace: ReadTrace, _ name: String, _ type: String) -> [ReadTrace.Event] {
      trace[name].filter { ($0.data["frame"] as? [String: Any])?["frame_type"] as? String == type }
    }
    for (sender, receiver) in [(run.client, run.server), (run.server, run.client)] {
      for type in ["headers", "data", "settings"] {
        let created = frames(sender, "http:frame_created", type)
        let parsed = frames(receiver, "http:frame_parsed", type)
        #expect(!created.isEmpty)
        #expect(NSArray(array: created.map(\.data)).isEqual(to: parsed.map(\.data)), "\(type)")
      }
      let bodies = frames(sender, "http:frame_created", "data").map { $0.data["length"] as? Int ?? 0 }
      #expect(bodies.reduce(0, +) == 30_000)
    }
    // 103, 200 and trailers.
    #expect(frames(run.client, "http:frame_parsed", "headers").count == 3)
  }

  @Test func packetsThatComeTwiceAreReportedAsDropped() throws {
    let run = try Self.run(duplication: 0.5)
    let drops = run.server["transport:packet_dropped"].filter { $0.data["trigger"] as? String == "duplicate" }
    #expect(drops.count > 5)
    let known = Set(run.server["transport:packet_received"].map(\.packet))
    #expect(drops.allSatisfy { known.contains($0.packet) })
  }

  @Test func aTraceThatReachesItsLimitSaysSo() throws {
    var qlog = QlogConfiguration()
    qlog.totalLimit = 30_000
    let run = try Self.run(qlog: qlog)
    #expect(run.clientBytes.count <= qlog.totalLimit)
    #expect(run.clientBytes.count > qlog.totalLimit - 10_000)
    let last = try #require(run.client.events.last)
    #expect(last.name == "generic:warning" && (last.data["message"] as? String)?.contains("ends here") == true)
    #expect(run.outputs.last?.isLast == true)
  }

  @Test func aTraceChangesNothingOnTheWire() throws {
    func datagrams(_ qlog: QlogConfiguration?) throws -> (ConnectionStatistics, Timestamp) {
      var lossy = VirtualLink.plain
      lossy.toClient.loss = .bernoulli(rate: 0.05, longestBurst: nil)
      let pair = try QUICPair.make(
        seed: 5, conditions: lossy, clientLimits: { $0.qlog = qlog }, server: { $0.connection.qlog = qlog })
      let server = EchoServer(on: pair)
      let client = RequestClient(on: pair)
      client.send("GET", "/bytes/300000")
      client.send("POST", "/echo", body: EchoServer.pattern(50_000))
      try pair.run { client.isDone }
      #expect(server.requests.count == 2)
      return (pair.client.statistics, pair.now)
    }
    let without = try datagrams(nil)
    let with = try datagrams(QlogConfiguration())
    #expect(without.0 == with.0)
    #expect(without.1 == with.1)
  }

  @Test func damagedPacketsAreReportedAsDropped() throws {
    var conditions = VirtualLink.plain
    conditions.toServer.corruptionRate = 0.3
    let pair = try QUICPair.make(conditions: conditions, server: { $0.connection.qlog = QlogConfiguration() })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("POST", "/echo", body: EchoServer.pattern(200_000))
    try pair.run { client.isDone }
    let trace = try ReadTrace(pair.server.takeQlog().flatMap { $0.1.bytes })
    #expect(server.requests.count == 1)
    #expect(trace["transport:packet_dropped"].contains { $0.data["trigger"] as? String == "payload_decrypt_error" })
  }
}
