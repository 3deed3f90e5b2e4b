import HTTP3Engine
import Synchronization

/// Whether a server bears ECN; what is learnt holds for a day, so that a server that was mended is sent marks again.
///
/// Some close the connection when they are told which of their packets came marked (nginx#945). Without marks and
/// reports they are reached all the same, so that costs one more attempt, once.
final class ECNTolerance: Sendable {
  private let doubtedUntil = Mutex<ContinuousClock.Instant?>(nil)

  var usesECN: Bool { doubtedUntil.withLock { $0.map { $0 <= .now } ?? true } }

  func doubt(for time: Duration = .seconds(ServerRecord.ecnDoubtLifetime)) {
    doubtedUntil.withLock { $0 = .now + time }
  }
}

extension HTTP3Error {
  /// Whether a server that knows no ECN may have meant it: the error that RFC 9000 § 12.4 asks for at an unknown frame,
  /// that of a frame out of place, and what nginx says.
  var mayBeOfECN: Bool {
    guard side == .remote, case .transport(let code) = code else { return false }
    return [.internalError, .frameEncodingError, .protocolViolation].contains(code)
  }
}
