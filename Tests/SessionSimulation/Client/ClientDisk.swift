import ResolveKitCore

/// The disk of the client's machine: the bytes of each session's journal, as a process finds them that begins.
final class ClientDisk {
  private var files: [String: [UInt8]] = [:]
  /// The session whose journal was written last.
  private(set) var latest: String?

  func bytes(of session: String) -> [UInt8] { files[session] ?? JournalFormat.header }

  func write(_ bytes: [UInt8], of session: String) {
    files[session] = bytes
    latest = session
  }
}
