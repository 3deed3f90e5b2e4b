import Foundation

/// A new file that is written in large pieces.
struct BufferedFile: ~Copyable {
  private static let pieceBytes = 1 << 20
  private let path: String
  private let handle: FileHandle
  private var buffer: [UInt8] = []

  init(path: String) throws(EmulatorError) {
    self.path = path
    guard FileManager.default.createFile(atPath: path, contents: nil), let handle = FileHandle(forWritingAtPath: path)
    else { throw Self.failure(path, nil) }
    self.handle = handle
    buffer.reserveCapacity(Self.pieceBytes + 65_536)
  }

  mutating func write(_ bytes: some Sequence<UInt8>) throws(EmulatorError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.pieceBytes { try flush() }
  }

  /// Writes the rest and closes.
  consuming func close() throws(EmulatorError) {
    try flush()
    do { try handle.close() } catch { throw Self.failure(path, error) }
  }

  private mutating func flush() throws(EmulatorError) {
    do { try handle.write(contentsOf: Data(buffer)) } catch { throw Self.failure(path, error) }
    buffer.removeAll(keepingCapacity: true)
  }

  private static func failure(_ path: String, _ cause: (any Error)?) -> EmulatorError {
    EmulatorError(
      .file, "The file '\(path)' can't be written; see its folder, its permissions and the free space.", cause: cause)
  }
}
