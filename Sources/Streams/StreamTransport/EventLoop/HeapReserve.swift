import Foundation

/// Room on the heap of the thread that makes it, for the bytes that a loop allocates and readers free.
///
/// glibc gives the free end of a heap back to the kernel as soon as it is larger than 128 KiB or so, and the kernel
/// clears every page that comes back: a fifth of the processor time of a gigabyte's download. A block behind this room
/// keeps it from being such an end. Pages that are never used take no memory.
package final class HeapReserve {
  /// The number of blocks: those that a stream's window lets the server send at once, and half as many again for the
  /// rest.
  private static let blocks = 24
  /// Larger ones would have a mapping of their own; a much smaller one for the end could come from any gap on this heap.
  private static let blockSize = 64 << 10

  private let end: UnsafeMutableRawPointer?

  package init() {
    // Its own memory must not lie between the blocks, nor behind them.
    var room: [UnsafeMutableRawPointer] = []
    room.reserveCapacity(Self.blocks + 1)
    for _ in 0...Self.blocks {
      if let block = malloc(Self.blockSize) { room.append(block) }
    }
    room.sort()
    end = room.popLast()
    for block in room { free(block) }
  }

  deinit {
    free(end)
  }
}
