public import Foundation
public import Hummingbird
public import Logging
import NIOCore
import NIOPosix
import StreamTransport

/// The files of a folder for Hummingbird's `FileMiddleware`, of which small ones are read without another thread.
///
/// ```swift
/// router.add(middleware: FileMiddleware(fileProvider: FolderFiles("public", logger: logger)))
/// ```
///
/// Hummingbird's `LocalFileSystem` asks a thread pool several times for each file, which costs more than the bytes of a small
/// one. This provider asks the kernel for what is in memory already, and leaves to `LocalFileSystem` what is not, what is
/// larger than 64 KiB, and everything on systems that cannot tell (Linux before 5.12).
public struct FolderFiles: FileProvider {
  /// A file's attributes, of which `FileMiddleware` makes fields.
  public struct FileAttributes: FileMiddlewareFileAttributes, Hashable, Sendable {
    /// Whether it is a folder.
    public let isFolder: Bool
    /// The size in bytes.
    public let size: Int
    /// The time of the last change, in whole seconds.
    public let modificationDate: Date
  }

  /// What one response may hold of a file in memory.
  static let mostBytes = 64 << 10

  private let folder: LocalFileSystem

  /// Serves a folder's files.
  ///
  /// - Parameters:
  ///   - rootFolder: its path.
  ///   - logger: receives one line with the path.
  public init(_ rootFolder: String, logger: Logger = Logger(label: "FolderFiles")) {
    folder = LocalFileSystem(rootFolder: rootFolder, threadPool: .singleton, logger: logger)
  }

  /// The path of the file that a URI's path names; nil where it can name none.
  public func getFileIdentifier(_ path: String) -> String? {
    // The system would read the path up to there alone.
    path.utf8.contains(0) ? nil : folder.getFileIdentifier(path)
  }

  /// The attributes of a file; nil where there is none.
  public func getAttributes(id path: String) async throws -> FileAttributes? {
    switch CachedFile.attributes(of: path) {
    case .found(let file):
      return FileAttributes(
        isFolder: file.isFolder, size: file.size,
        modificationDate: Date(timeIntervalSince1970: Double(file.modified)))
    case .missing: return nil
    case .notAtHand:
      return try await folder.getAttributes(id: path).map {
        FileAttributes(isFolder: $0.isFolder, size: $0.size, modificationDate: $0.modificationDate)
      }
    }
  }

  /// A body with all of a file. Throws `HTTPError` where there is none.
  public func loadFile(id path: String, context: some RequestContext) async throws -> ResponseBody {
    if let body = Self.body(of: path, in: nil) { return body }
    return try await folder.loadFile(id: path, context: context)
  }

  /// A body with a part of a file. Throws `HTTPError` where there is none.
  public func loadFile(
    id path: String, range: ClosedRange<Int>, context: some RequestContext
  ) async throws -> ResponseBody {
    if let body = Self.body(of: path, in: range) { return body }
    return try await folder.loadFile(id: path, range: range, context: context)
  }

  /// Nil where it is not at hand.
  private static func body(of path: String, in range: ClosedRange<Int>?) -> ResponseBody? {
    guard case .found(let bytes) = CachedFile.bytes(of: path, in: range, limit: mostBytes) else { return nil }
    return bytes.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
  }
}
