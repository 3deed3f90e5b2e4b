import Foundation
import HTTP3Engine
import TestSupport
import Testing

/// The memory that floods may cost; each in a process of its own, so that no other memory is counted.
@Suite struct FloodMemoryTests {
  private static var residentBytes: Int {
    let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return (pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Every other byte of a stream's window: the library ends a connection at 5 000 gaps. Until then it keeps a list of them,
  /// and the bytes between, which take no more than the window.
  @Test(.timeLimit(.minutes(10))) func gapsInAStreamCostABoundedMultipleOfItsWindow() async {
    await #expect(processExitsWith: .success) {
      let attack = try RawAttack(on: QUICPair.make(clientLimits: { $0.isRaw = true }), attacksServer: true)
      let before = FloodMemoryTests.residentBytes
      let window = Int(ConnectionConfiguration().streamWindow)
      for start in stride(from: 1, to: window, by: 200) where attack.verdict == nil {
        let offsets = stride(from: start, to: min(start + 200, window), by: 2)
        attack.send(frames: offsets.flatMap { Wire.quic(0x0e, 0, UInt64($0), 1, then: [0]) })
        if start % 2_000 == 1 { try attack.pair.run(for: .milliseconds(10)) }
      }
      try attack.pair.run(for: .seconds(5))
      let growth = FloodMemoryTests.residentBytes - before
      try #require(attack.verdict?.code == .transport(.internalError))
      // Twice what it is with both ends in this process; half a million gaps would be six times as much.
      try #require(growth < 20 * window)
    }
  }

  /// nghttp3 (1.8) makes a stream for each PRIORITY_UPDATE of a request that it has not seen, which one that was reset before
  /// its first byte never was: they would stay for as long as the connection.
  @Test(.timeLimit(.minutes(10))) func prioritiesOfRequestsThatNeverBeganAreNotKept() async {
    await #expect(processExitsWith: .success) {
      let attack = try RawAttack(on: QUICPair.make(clientLimits: { $0.isRaw = true }), attacksServer: true)
      attack.pair.timeLimit = Timestamp(nanoseconds: 1_000_000_000_000)
      let control = attack.beginHTTP()[0]
      try attack.pair.run(for: .milliseconds(100))
      var before = 0
      for round in 0..<300 {
        var updates: [UInt8] = []
        for _ in 0..<50 {
          guard let id = attack.request() else { break }
          attack.peer?.raw?.reset(id, code: .requestCancelled)
          attack.peer?.raw?.stop(id, code: .requestCancelled)
          updates += Wire.http(0xf0700, Wire.varint(UInt64(id.rawValue)) + Array("u=1".utf8))
        }
        // As many a second as a peer may take back for ever.
        try attack.pair.run(for: .milliseconds(500))
        attack.peer?.raw?.send(updates, on: control)
        try attack.pair.run(for: .milliseconds(100))
        try #require(attack.verdict == nil)
        if round == 50 { before = FloodMemoryTests.residentBytes }
      }
      let growth = FloodMemoryTests.residentBytes - before
      print("\(growth) bytes for 12 450 requests that never began")
      try #require(growth < 4 << 20)
    }
  }

  /// A field section over the limit whose beginning comes last, so that QUIC has kept what nghttp3 reads when the stream is
  /// given up. What is freed is filled with other bytes at once, which nghttp3 would find to be no HTTP/3.
  @Test(.timeLimit(.minutes(10))) func fieldsOverTheLimitAreReadFromMemoryThatIsStillThere() async {
    await #expect(processExitsWith: .success) {
      // The Foundation module for Swift lacks `mallopt`; -6 is M_PERTURB.
      let mallopt = unsafeBitCast(
        try #require(dlsym(nil, "mallopt")), to: (@convention(c) (CInt, CInt) -> CInt).self)
      try #require(mallopt(-6, 0xa5) == 1)
      let attack = try RawAttack(
        on: QUICPair.make(clientLimits: { $0.isRaw = true }) { $0.connection.maximumFieldSectionSize = 4_000 },
        attacksServer: true)
      _ = attack.beginHTTP()
      try attack.pair.run(for: .milliseconds(100))
      let lines = (0..<100).flatMap { Wire.line("name\($0)", String(repeating: "v", count: 60)) }
      let request = Wire.get("/hold", then: lines)
      for _ in 0..<20 {
        let id = try #require(attack.request())
        var first: [UInt8]?
        attack.pair.onClientDatagram = { datagram in
          guard first == nil, datagram.count > 1_000 else { return true }
          first = datagram
          return false
        }
        attack.peer?.raw?.send(request, on: id)
        try attack.pair.run(for: .milliseconds(10))
        attack.pair.injectToServer(try #require(first))
        attack.pair.onClientDatagram = { _ in true }
        try attack.pair.run(for: .milliseconds(200))
        try #require(attack.verdict == nil)
      }
      try #require(attack.server?.resets.count == 20)
    }
  }
}
