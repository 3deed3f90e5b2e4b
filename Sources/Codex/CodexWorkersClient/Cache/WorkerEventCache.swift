import Glibc
import ResolveKitCore
import StreamTransport

/// The newest events of a worker on disk, in a file for its owner alone: what a watch begins with, before the server answers.
///
/// It may be lost at any time without harm. Each event is in the file when ``add(_:)`` returns, so that a killed process has
/// seen nothing that its successor does not know; the file is replaced by its newest half when it is full.
public final class WorkerEventCache {
  /// The most bytes of a file.
  public static let maximumBytes = 4 << 20
  /// The most events that are kept, in memory and in the file.
  public static let maximumEvents = 2_000

  /// The events that were kept, in order and without a gap.
  public private(set) var events: [WorkerEvent] = []
  private let path: String
  private let server: String
  private let worker: String
  private var descriptor: Int32?
  private var bytes = 0

  /// Reads what is kept. A file that cannot be used is begun again.
  ///
  /// - Parameters:
  ///   - folder: made where it is missing, for its owner alone.
  ///   - account: whose events they are: another one's must not be shown.
  public init(folder: String, server: String, account: String, worker: String) {
    path = "\(folder)/\(CacheName.of(server, account, worker)).jsonl"
    self.server = server
    self.worker = worker
    try? PrivateFile.makeDirectory(folder)
    load()
  }

  deinit { if let descriptor { close(descriptor) } }

  /// The last event's number; nil where none is kept.
  public var cursor: Int64? { events.last?.sequence }

  /// Keeps an event; one that does not follow the last begins the cache again.
  public func add(_ event: WorkerEvent) {
    guard event.workerID == worker, event.sequence > cursor ?? 0 else { return }
    if let cursor, event.sequence != cursor + 1 { events = [] }
    events.append(event)
    if events.count > Self.maximumEvents { return rewrite() }
    let line = EventCacheText.line(event)
    guard bytes + line.count <= Self.maximumBytes, let descriptor = open() else { return rewrite() }
    do {
      try PrivateFile.append(line, to: descriptor)
      bytes += line.count
    } catch {
      // A full disk: what is half written must not stay.
      rewrite()
    }
  }

  /// Forgets all, as where the worker's log was begun again.
  public func clear() {
    events = []
    rewrite()
  }

  private func load() {
    guard let text = (try? PrivateFile.read(path, limit: 2 * Self.maximumBytes)), isOwn,
      let kept = EventCacheText(text, server: server, worker: worker)
    else { return }
    events = kept.events.suffix(Self.maximumEvents)
    bytes = text.count
    if !kept.isWhole || bytes > Self.maximumBytes { rewrite() }
  }

  /// Whether nobody else can have written the file.
  private var isOwn: Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
      && status.st_mode & 0o077 == 0
  }

  private func open() -> Int32? {
    if let descriptor { return descriptor }
    guard bytes > 0, isOwn else { return nil }
    let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    return descriptor
  }

  /// Replaces the file by the newest half of what it may hold.
  private func rewrite() {
    if let descriptor { close(descriptor) }
    descriptor = nil
    var lines: [[UInt8]] = []
    var total = EventCacheText.head(server: server, worker: worker).count
    for event in events.suffix(Self.maximumEvents / 2).reversed() {
      let line = EventCacheText.line(event)
      guard total + line.count <= Self.maximumBytes / 2 else { break }
      total += line.count
      lines.append(line)
    }
    events = Array(events.suffix(lines.count))
    let text = EventCacheText.head(server: server, worker: worker) + lines.reversed().flatMap { $0 }
    do {
      // May be lost with the power.
      try PrivateFile.write(text, to: path, isDurable: false)
      bytes = text.count
    } catch {
      bytes = 0
    }
  }
}
