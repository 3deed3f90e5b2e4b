import HTTP3Engine
import Logging
import Synchronization

/// Keeps a server's secrets as their file has them, renews them in time, and claims early data where another gives that up.
final class SecretKeeper: Sendable {
  /// The shortest time between two renewals: with two earlier secrets in use a token lasts its day.
  private static let shortestPeriod = Duration.seconds(43_200)
  /// The time within which the secrets that another server wrote are used here.
  static let interval = Duration.seconds(30)

  private let file: SecretFile
  private let period: Duration?
  private let wantsEarlyData: Bool
  private let random: TransportRandom
  private let clock: TransportClock
  private let logger: Logger
  private let claim = Mutex<EarlyDataClaim?>(nil)

  /// Nil where the secrets are in no file.
  init?(_ configuration: HTTP3ServerConfiguration, logger: Logger) {
    guard let path = configuration.options.ticketSecretFile else { return nil }
    file = SecretFile(path: path)
    period = configuration.options.secretRotation.map { max($0, Self.shortestPeriod) }
    wantsEarlyData = configuration.options.takesEarlyData
    random = configuration.random
    clock = configuration.clock
    self.logger = logger
  }

  /// The file's secrets, for a server that starts.
  func start() throws(TransportError) -> StartingSecrets {
    let secrets = try file.load(random)
    if file.isOpenToOthers {
      logger.warning(
        "\(file.path) can be read by others, who can then open what clients send; make it private with chmod 600")
    }
    let takesEarlyData = claimEarlyData()
    if wantsEarlyData, !takesEarlyData {
      logger.notice(
        "early data is refused: another server with the secrets of \(file.path) takes it, or its lock cannot be made")
    }
    return StartingSecrets(secrets: secrets, takesEarlyData: takesEarlyData)
  }

  /// Looks at the file at each interval until the task is cancelled, and then gives up the claim.
  func keep(_ loops: ServerLoops) async {
    var seen: FileStamp?
    var complaint: String?
    repeat {
      do throws(TransportError) {
        let stamp = file.stamp
        if stamp != seen { await loops.use(secrets: try file.load(random)) }
        seen = stamp
        // What another wrote is in use even where this server may not write. Its own is with the next look.
        if let period { try file.rotate(after: period, now: clock.secondsSince1970, random) }
        complaint = nil
      } catch {
        // Once for each reason; what is in use stays so.
        if complaint != error.message { logger.warning("\(error.message)") }
        complaint = error.message
      }
      let isClaimed = claim.withLock { $0 != nil }
      if !isClaimed, claimEarlyData(), (try? await loops.beginEarlyData()) != nil {
        logger.notice("early data is taken from now on: no other server with the same secrets does")
      }
    } while (try? await clock.sleep(Self.interval)) != nil
    claim.withLock { $0 = nil }
  }

  private func claimEarlyData() -> Bool {
    guard wantsEarlyData, let mine = EarlyDataClaim(for: file) else { return false }
    claim.withLock { $0 = mine }
    return true
  }
}
