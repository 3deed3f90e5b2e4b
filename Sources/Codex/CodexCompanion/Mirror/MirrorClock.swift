import CodexWorkersClient
import EventLedger
import Foundation
import Logging
import Synchronization

/// The runtime's time of day, by its answers to heartbeats.
///
/// Requests expire by the runtime's clock. This machine's may be minutes off: it only measures what has passed since the
/// last heartbeat.
final class MirrorClock: Sendable {
  private struct State {
    /// The seconds by which this machine is ahead; nil before the first answer.
    var lead: Double?
    var isReported = false
  }

  /// The difference, in seconds, that is worth a warning.
  private static let tolerance = 5.0

  private let now: @Sendable () -> WallTime
  private let logger: Logger
  private let state = Mutex(State())

  init(now: @escaping @Sendable () -> WallTime, logger: Logger) {
    self.now = now
    self.logger = logger
  }

  /// The runtime's time in seconds since 1970; this machine's as long as the runtime's is unknown.
  var time: Double { local - (lead ?? 0) }

  /// The seconds by which this machine is ahead of the runtime; nil where that is not known yet.
  var lead: Double? { state.withLock(\.lead) }

  /// Learns from an event that the runtime has stored just now.
  ///
  /// The answer may have been long on its way, so the runtime's time is never taken for later than it is.
  ///
  /// - Parameter start: the time at which the event was sent.
  func note(_ stored: WorkerEvent, sentAt start: WallTime) {
    guard let reported = Self.seconds(stored.occurredAt) else { return }
    let lead = local - reported
    // By so much at least, however long event and answer took.
    let skew = max(0, Self.seconds(start) - reported) + min(0, lead)
    let isRemarkable = abs(skew) >= Self.tolerance
    let isNew = state.withLock { state in
      state.lead = lead
      defer { state.isReported = isRemarkable }
      return isRemarkable && !state.isReported
    }
    guard isNew else { return }
    logger.warning(
      """
      this machine's clock is \(Self.text(skew)) the runtime's; requests expire by the runtime's. Set the clock that is \
      wrong, as by 'timedatectl set-ntp true'
      """)
  }

  /// The lead or lag for people, as in `120 s ahead of`.
  static func text(_ lead: Double) -> String {
    "\(abs(lead).formatted(.number.precision(.fractionLength(0)).grouping(.never))) s \(lead < 0 ? "behind" : "ahead of")"
  }

  /// Seconds since 1970; nil where the text is no time of ISO 8601.
  static func seconds(_ text: String) -> Double? {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return ((try? Date(text, strategy: style)) ?? (try? Date(text, strategy: .iso8601)))?.timeIntervalSince1970
  }

  private static func seconds(_ time: WallTime) -> Double { Double(time.microseconds) / 1e6 }

  private var local: Double { Self.seconds(now()) }
}
