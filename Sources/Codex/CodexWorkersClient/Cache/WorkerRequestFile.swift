import Glibc
import ResolveKitCore
import StreamTransport

/// The requests that this machine sent to a worker, in a file for its owner alone: by them the ends that concern it are
/// known in the worker's log, and those that are still to come.
///
/// It may be lost at any time without harm. Programs that write it at one time may lose each other's last entry.
public struct WorkerRequestFile: Sendable {
  /// The most that are kept; the oldest are forgotten first.
  public static let maximumRequests = 256
  private static let maximumBytes = 1 << 20
  private static let format = "codex-worker-requests"

  private let path: String

  /// - Parameters:
  ///   - folder: made where it is missing, for its owner alone.
  ///   - account: whose requests they are.
  public init(folder: String, server: String, account: String, worker: String) {
    path = "\(folder)/\(CacheName.of(server, account, worker)).requests"
    try? PrivateFile.makeDirectory(folder)
  }

  /// The requests, oldest first.
  public var requests: [WorkerControlRequest] {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0, let bytes = try? PrivateFile.read(path, limit: Self.maximumBytes),
      let fields = (try? JSONValue(parsing: bytes)).flatMap({ WireObject($0) }), fields.string("format") == Self.format
    else { return [] }
    let rows = (fields["requests"]?.arrayValue ?? []).suffix(Self.maximumRequests)
    return rows.compactMap { row in
      guard let fields = WireObject(row), let id = fields.word("id"), let method = fields.word("method") else {
        return nil
      }
      return WorkerControlRequest(id: id, method: method)
    }
  }

  /// Keeps that a request is about to be sent.
  public func add(_ request: WorkerControlRequest) {
    let kept = requests.filter { $0.id != request.id } + [request]
    let rows = kept.suffix(Self.maximumRequests).map { request -> JSONValue in
      ["id": .string(request.id), "method": .string(request.method)]
    }
    let document: JSONValue = ["format": .string(Self.format), "version": 1, "requests": .array(rows)]
    // May be lost with the power.
    try? PrivateFile.write(document.serialized() + [UInt8(ascii: "\n")], to: path, isDurable: false)
  }
}
