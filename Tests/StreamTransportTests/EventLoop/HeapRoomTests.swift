import Foundation
import StreamTransport
import Testing

@Suite struct HeapRoomTests {
  /// Restores the threshold of a program's start: it rises permanently when a large block is freed, which other tests
  /// do. glibc's module for Swift lacks `mallopt`.
  init() throws {
    let mallopt = unsafeBitCast(
      try #require(dlsym(nil, "mallopt")), to: (@convention(c) (CInt, CInt) -> CInt).self)
    // M_TRIM_THRESHOLD, as it is by default.
    #expect(mallopt(-1, 128 << 10) == 1)
  }

  /// Memory that a loop's bodies pass through stays: its pages are not given back to the kernel and taken again.
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

  /// A small block that is free somewhere on the heap must not be taken for its end.
  @Test func theEndOfTheRoomIsBehindIt() async {
    let faults = await withCheckedContinuation { continuation in
      // A thread's heap is its own.
      Thread {
        for block in (0..<16).map({ _ in malloc(1) }) { free(block) }
        let room = HeapReserve()
        Self.passBodies(rounds: 10)
        let before = Self.pageFaults
        Self.passBodies(rounds: 100)
        let faults = Self.pageFaults - before
        withExtendedLifetime(room) {}
        continuation.resume(returning: faults)
      }.start()
    }
    #expect(faults < 1_000)
  }

  /// 720 KB at a time.
  private static func passBodies(rounds: Int) {
    for _ in 0..<rounds {
      var bodies: [[UInt8]] = []
      bodies.reserveCapacity(12)
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
