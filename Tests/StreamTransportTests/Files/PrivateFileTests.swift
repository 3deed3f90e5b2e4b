import Foundation
import StreamTransport
import Synchronization
import Testing

@Suite struct PrivateFileTests {
  /// Another writer of the same file, which comes while this one is half-way: in containers that share a volume both may
  /// have the same process number.
  @Test func twoWritersAtOnceLeaveOneOfTheirFilesWhole() throws {
    let path = NSTemporaryDirectory() + "private-file-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let isFirst = Mutex(true)
    var disk = Disk.system
    let write = disk.write
    disk.write = { descriptor, bytes in
      let isOuter = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if isOuter {
        do { try PrivateFile.write([2, 2], to: path) } catch { Issue.record(error) }
      }
      return write(descriptor, bytes)
    }
    try PrivateFile.write([1, 1, 1], to: path, disk: disk)
    #expect(try PrivateFile.read(path, limit: 10) == [1, 1, 1])
    let others = try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory())
    #expect(!others.contains { $0.hasPrefix((path as NSString).lastPathComponent + ".") })
  }
}
