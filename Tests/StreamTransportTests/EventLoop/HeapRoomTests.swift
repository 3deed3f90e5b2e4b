import Foundation
import StreamTransport
import Testing

@Suite struct HeapRoomTests {
  /// Memory that a loop's bodies pass through stays: its pages are not given back to the kernel and taken anew.
  @Test func aLoopKeepsTheMemoryThatBodiesPassThrough() async throws {
    let loop = try EventLoop(name: "heap")
    defer { loop.stop() }
    let faults = await withCheckedContinuation { continuation in
      loop.execute {
        Self.passBodies(rounds: 10)
        let before = Self.pageFaults
        Self.passBodies(rounds: 100)
        continuation.resume(returning: Self.pageFaults - before)
      }
    }
    // Given back, each round would take 180 pages.
    #expect(faults < 1_000)
  }

  /// 720 KB at a time.
  private static func passBodies(rounds: Int) {
    for _ in 0..<rounds {
      var bodies: [[UInt8]] = []
      for _ in 0..<12 { bodies.append([UInt8](repeating: 1, count: 60_000)) }
      bodies.removeAll()
    }
  }

  private static var pageFaults: Int {
    var used = rusage()
    // RUSAGE_THREAD, which only shows with _GNU_SOURCE.
    getrusage(1, &used)
    return used.ru_minflt
  }
}
