import Foundation

/// Room on the heap of the thread that makes it, for the bytes that a loop allocates and readers free.
///
/// glibc gives the free end of a heap back to the kernel as soon as it is larger than 128 KiB or so, and the kernel
/// clears every page that comes back: 40 % of the processor time of a gigabyte's download. A small block behind this room
/// keeps it from being such an end. Pages that are never used take no memory.
final class HeapRoom {
  /// What a stream's window lets the server send at once.
  private static let blocks = 16
  /// Larger ones would have a mapping of their own.
  private static let blockSize = 64 << 10

  private let end: UnsafeMutableRawPointer?

  init() {
    let room = (0..<Self.blocks).map { _ in malloc(Self.blockSize) }
    end = malloc(1)
    for block in room { free(block) }
  }

  deinit {
    free(end)
  }
}
