import Dispatch
import Foundation
import Glibc
public import Logging
import Synchronization
package import TransportPolicy

/// The memory of origins between connections: how long HTTP/3 takes to connect, where UDP does not pass, which
/// alternatives there are (RFC 7838). Shared by transports, and kept in a file where one is given.
///
/// The file is for its owner alone and replaced as a whole, so that a reader sees the old one or the new one. Several
/// processes may use it: each writes what it has learnt into what the others wrote before; of two that write at the same
/// moment one may lose a line, which is learnt again. A file that cannot be read is an empty one, and one that cannot be
/// written changes nothing but that nothing is kept.
public final class OriginStore: Sendable {
  /// All files of this process, one after the other, off the tasks' threads.
  private static let files = DispatchQueue(label: "origin-store")
  /// Bytes of a file that is read; a full memory takes less.
  private static let sizeLimit = 2 << 20

  private let path: String?
  private let logger: Logger
  private let now: @Sendable () -> Int
  private let memory: Mutex<OriginMemory>

  /// A memory that ends with this process.
  public convenience init() {
    self.init(file: nil)
  }

  /// A memory that is kept at `path`. The folder that it is in is made where it is missing, for its owner alone.
  public convenience init(file path: String, logger: Logger = Logger(label: "origin-store")) {
    self.init(file: path as String?, logger: logger)
  }

  /// The path of this package's programs: `$XDG_STATE_HOME/agent-stream/origins`, or below `~/.local/state`.
  public static var standardPath: String {
    StateFolder(environment: ProcessInfo.processInfo.environment).path + "/origins"
  }

  /// - Parameter now: returns seconds since 1970.
  package init(
    file path: String?, logger: Logger = Logger(label: "origin-store"),
    now: @escaping @Sendable () -> Int = { TransportClock.continuous.secondsSince1970 }
  ) {
    self.path = path
    self.logger = logger
    self.now = now
    memory = Mutex(path.map { Self.read($0, now: now()) } ?? OriginMemory())
  }

  package func read<Value>(_ body: (OriginMemory, _ now: Int) -> Value) -> Value {
    let now = now()
    return memory.withLock { body($0, now) }
  }

  /// Changes the memory at once, and the file soon after.
  ///
  /// - Parameter isKept: whether the file is changed at all.
  package func update(isKept: Bool = true, _ change: @escaping @Sendable (inout OriginMemory, _ now: Int) -> Void) {
    let now = now()
    memory.withLock { change(&$0, now) }
    guard isKept, let path else { return }
    Self.files.async { [logger] in
      var kept = Self.read(path, now: now)
      change(&kept, now)
      do {
        try Self.write(kept, to: path)
      } catch {
        logger.notice("what was learnt of origins is not kept", metadata: ["reason": "\(error)"])
      }
    }
  }

  /// Returns when the file holds what was learnt before.
  package func flush() async {
    guard path != nil else { return }
    await withCheckedContinuation { continuation in
      Self.files.async { continuation.resume() }
    }
  }

  private static func read(_ path: String, now: Int) -> OriginMemory {
    OriginMemory(text: (try? PrivateFile.read(path, limit: sizeLimit)) ?? [], now: now)
  }

  private static func write(_ memory: OriginMemory, to path: String) throws(PrivateFile.Failure) {
    if let end = path.lastIndex(of: "/"), end > path.startIndex {
      let folder = String(path[..<end])
      // One that is there keeps its permissions, which may be somebody else's business.
      if !PrivateFile.isDirectory(folder) { try PrivateFile.makeDirectory(folder) }
    }
    try PrivateFile.write(Array(memory.text.utf8), to: path)
  }
}
