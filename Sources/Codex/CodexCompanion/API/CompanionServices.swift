import CodexRemoteContract
import EventLedger
import JSONService
import Logging
import Synchronization

/// The services that the routes use.
struct CompanionServices: Sendable {
  let access: AccessRules
  let devices: DeviceRegistry
  let pairings: Pairings
  let revocation: DeviceRevocation
  let hub: ChatHub
  let directory: ChatDirectory
  let history: RolloutHistory
  let settings: TurnSettings
  let bodies: BodyRoom
  let ledger: any EventLedger
  let feed: LedgerFeed
  let git: GitProgram
  /// nil where nobody named a program that transcribes.
  let transcriber: Transcriber?
  let place: ServerPlace
  let streams: StreamRoom
  /// Ends the streams of chats that are not to be seen any more.
  let closings: Revocations
  let keepAlive: Duration
  let clock: any Clock<Duration>
  let now: @Sendable () -> WallTime
  let logger: Logger
}

/// The room for clients' event streams: how many there may be, and what they hold together.
struct StreamRoom: Sendable {
  let seats: StreamSeats
  let budget: StreamBudget
}

/// The address by which this companion is reached from elsewhere, for a pairing's text.
final class ServerPlace: Sendable {
  let host: String
  /// SHA-256 of the certificate, where it is one that no authority vouches for.
  private let fingerprint: [UInt8]?
  private let boundPort = Atomic<Int>(0)

  init(host: String, fingerprint: [UInt8]?) {
    self.host = host
    self.fingerprint = fingerprint
  }

  var port: Int {
    get { boundPort.load(ordering: .relaxed) }
    set { boundPort.store(newValue, ordering: .relaxed) }
  }

  /// The text that a new device is shown.
  func text(_ ticket: PairingTicket, for client: PairingClient) -> String {
    switch client {
    case .own: uri(ticket, fingerprint)
    case .publicProtocol: uri(ticket, nil)
    case .browser: PageAddress(host: host, port: port, ticket: ticket).text
    }
  }

  private func uri(_ ticket: PairingTicket, _ fingerprint: [UInt8]?) -> String {
    PairingURI(scheme: .https, host: host, port: port, ticket: ticket, fingerprint: fingerprint).text
  }
}
