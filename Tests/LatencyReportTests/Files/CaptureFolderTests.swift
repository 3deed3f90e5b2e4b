import Foundation
import Testing

@testable import LatencyReport

@Suite("A captured run's files")
struct CaptureFolderTests {
  private static let header =
    "time_ns,local_port,remote_port,mss_bytes,cwnd_segments,ssthresh_segments,unacked_segments,sacked_segments,"
    + "lost_segments,retransmitted_segments,ca_state\n"

  private static let head = """
    \u{1E}{"qlog_version":"0.3","trace":{"common_fields":{"ODCID":"ab","reference_time":1700000000000.5}}}
    """

  private static func updated(_ time: String, _ data: String) -> String {
    "\u{1E}{\"time\":\(time),\"name\":\"recovery:metrics_updated\",\"data\":{\(data)}}"
  }

  @Test("TCP's connections are told apart, and what is in flight is counted as the kernel does")
  func connections() throws {
    let text =
      Self.header + """
        1000,4433,50000,1448,10,,6,2,1,1,open
        1001,8080,50009,1448,10,,6,2,1,1,open
        2000,4433,50001,1000,3,,3,3,3,0,loss
        6000,4433,50000,1448,5,7,0,0,0,0,open

        """
    let found = try TCPTraceFile.connections(text, localPort: 4_433, name: "tcp.csv")
    #expect(
      found == [
        [
          SenderTrace.Sample(time: 1_000, windowBytes: 14_480, inFlightBytes: 5_792),
          SenderTrace.Sample(time: 6_000, windowBytes: 7_240, inFlightBytes: 0),
        ], [SenderTrace.Sample(time: 2_000, windowBytes: 3_000, inFlightBytes: 0)],
      ])
  }

  @Test("a table that is none of ours is refused with its reason")
  func foreignTable() {
    #expect(throws: FileError.self) { try TCPTraceFile.connections("", localPort: 1, name: "x") }
    let without = #expect(throws: FileError.self) {
      try TCPTraceFile.connections("time_ns,local_port\n", localPort: 1, name: "x")
    }
    #expect(without?.description.contains("remote_port") == true)
    for row in ["1000,4433,50000,1448,10,,6,2,1\n", "a,4433,50000,1448,10,,6,2,1,1,open\n"] {
      let broken = #expect(throws: FileError.self) {
        try TCPTraceFile.connections(Self.header + row, localPort: 4_433, name: "x")
      }
      #expect(broken?.description.contains("line 2") == true)
    }
  }

  @Test("qlog's metrics keep what has not changed, on the link's clock")
  func metrics() throws {
    let text = [
      Self.head, Self.updated("0.25", #""congestion_window":14720,"bytes_in_flight":1200"#),
      Self.updated("1", #""smoothed_rtt":50.1"#),
      "\u{1E}{\"time\":1.5,\"name\":\"recovery:packet_lost\",\"data\":{}}", Self.updated("2", #""bytes_in_flight":0"#),
      // The server is killed while it writes the last one.
      Self.updated("3.5", #""congestion_window":2888"#), #"\u{1E}{"time":4,"name":"recovery:metrics_updated","da"#,
    ].joined(separator: "\n")
    let offset: Int64 = 1_700_000_000_000_000_000
    let found = try QlogTraceFile.samples(Data(text.utf8), wallClockOffset: offset, name: "x")
    #expect(found.map(\.windowBytes) == [14_720, 14_720, 2_888])
    #expect(found.map(\.inFlightBytes) == [1_200, 0, 0])
    // A number of milliseconds since 1970 is exact to a quarter of a microsecond.
    for (sample, time) in zip(found, [750_000, 2_500_000, 4_000_000]) { #expect(abs(sample.time - Int64(time)) < 500) }
  }

  @Test("any bytes are read or refused", arguments: ["", "{}", "\u{1E}", "null", "[", "\u{1E}{\"trace\":{}}"])
  func noQlog(_ text: String) {
    let found = try? QlogTraceFile.samples(Data((text + "\n").utf8), wallClockOffset: 0, name: "x")
    #expect(found?.isEmpty != false)
  }

  @Test("extreme numbers do no harm")
  func extremes() throws {
    let text = [
      Self.head, Self.updated("1e300", #""congestion_window":1"#), Self.updated("-1e300", #""congestion_window":1"#),
      Self.updated("1", #""congestion_window":1e308,"bytes_in_flight":-5"#), "",
    ].joined(separator: "\n")
    #expect(try QlogTraceFile.samples(Data(text.utf8), wallClockOffset: .min, name: "x").count == 1)
  }

  @Test("a run's senders are its connections over TCP and those of the server's traces")
  func senders() throws {
    try withTemporaryFolder { experiment in
      let capture = CaptureFolder(in: experiment, arm: "h3", repetition: 2)
      #expect(capture.url.path.hasSuffix("captures/h3-2"))
      #expect(CaptureFolder(in: experiment, arm: "h3", repetition: -1).url.path.hasSuffix("captures/h3-warm-up"))
      #expect(!capture.exists)
      try FileManager.default.createDirectory(at: capture.url, withIntermediateDirectories: true)
      let facts = CaptureFacts(
        wallClockOffsetNanoseconds: 1_700_000_000_000_000_000, isTCPComplete: true, tcpSamplerNanoseconds: 5)
      try capture.write(facts)
      #expect(capture.exists)
      #expect(try capture.readFacts() == facts)
      #expect(try capture.senders(port: 4_433).connections.isEmpty)
      let trace = [Self.head, Self.updated("2", #""congestion_window":2888"#), ""].joined(separator: "\n")
      for name in ["ab_server.sqlog", "cd_client.sqlog"] {
        try Data(trace.utf8).write(to: capture.url.appendingPathComponent(name))
      }
      let table = Self.header + "1000,4433,50000,1448,10,,6,2,1,1,open\n"
      try Data(table.utf8).write(to: capture.url.appendingPathComponent("tcp.csv"))
      #expect(try capture.senders(port: 4_433).countsSegments)
      #expect(try !capture.senders(port: 8_080).countsSegments)
      #expect(try capture.senders(port: 4_433).connections.map { $0.map(\.windowBytes) } == [[14_480], [2_888]])
    }
  }
}
