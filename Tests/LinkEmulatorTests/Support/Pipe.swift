import Foundation

/// A pipe whose reading end tells when nobody holds the writing end any more.
final class Pipe: Sendable {
  private let reading: CInt
  let writing: CInt

  init() throws {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw CocoaError(.fileReadUnknown) }
    (reading, writing) = (ends[0], ends[1])
  }

  /// The next line, without what follows it being lost to a buffer.
  func readLine() -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(reading, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  /// All that is written until the last holder of the writing end, us included, is gone.
  func readToEnd() -> String {
    close(writing)
    let handle = FileHandle(fileDescriptor: reading, closeOnDealloc: false)
    return String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
  }

  deinit { close(reading) }
}
