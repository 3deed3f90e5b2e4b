import Glibc

/// The two system calls that bring bytes to disk. Tests give some that fail, or that take their time.
package struct Disk: Sendable {
  package static let system = Disk(
    write: { Glibc.write($0, $1.baseAddress, $1.count) },
    synchronize: { fsync($0) })

  /// Answers how many bytes were written, or less than 0 with the reason in `errno`.
  package var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
  /// Answers 0 once the file is on the disk, or -1 with the reason in `errno`.
  package var synchronize: @Sendable (_ descriptor: Int32) -> Int32

  package init(
    write: @escaping @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int,
    synchronize: @escaping @Sendable (_ descriptor: Int32) -> Int32
  ) {
    self.write = write
    self.synchronize = synchronize
  }
}
