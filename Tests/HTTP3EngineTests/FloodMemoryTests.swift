import Foundation
import HTTP3Engine
import TestSupport
import Testing

/// What a flood may cost of memory; each in a process of its own, so that nobody else's memory is counted.
@Suite struct FloodMemoryTests {
  private static var residentBytes: Int {
    let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return (pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Every other byte of a stream's window: the library ends a connection at 5 000 gaps. Until then it keeps a list of them,
  /// and the bytes between, which take no more than the window.
  @Test(.timeLimit(.minutes(5))) func gapsInAStreamCostABoundedMultipleOfItsWindow() async {
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
}
