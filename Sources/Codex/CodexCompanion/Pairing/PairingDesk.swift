import JSONService

/// The rules of pairing: takes requests and their time, and returns whether a person is to be asked, and the result.
///
/// A pairing is opened, confirmed once by who knows its nonce, and decided once by a person. What anybody can send grows
/// nothing without limit, and never keeps the person at the workstation from pairing: their pairings have places and limits
/// of their own.
struct PairingDesk {
  enum Origin: Hashable, Sendable {
    /// Opened by the person at the workstation.
    case host
    case remote(address: String)

    var isHost: Bool {
      switch self {
      case .host: true
      case .remote: false
      }
    }
  }

  private enum State {
    case open(attemptsLeft: Int)
    /// The nonce was shown, and a device waits.
    case asked(PairingQuestion)
  }

  private struct Pairing {
    let id: String
    let nonce: TokenDigest
    let origin: Origin
    /// Its end.
    var end: Duration
    var state: State

    var isAsked: Bool {
      switch state {
      case .asked: true
      case .open: false
      }
    }
  }

  private let limits: PairingLimits
  /// The oldest first.
  private var pairings: [Pairing] = []
  private var requests = RequestRate.Account(now: .zero)
  /// The accounts that are not clear. The rate of all requests together bounds them.
  private var requestsByAddress: [SourceAddress: RequestRate.Account] = [:]

  init(limits: PairingLimits) { self.limits = limits }

  /// The most pairings that are kept, open and asked about.
  var count: Int { pairings.count }
  /// The most addresses that are kept.
  var addressCount: Int { requestsByAddress.count }

  /// Opens a pairing; both texts are new and random.
  mutating func open(
    id: String, nonce: String, by origin: Origin, now: Duration
  ) throws(PairingError) {
    expire(now: now)
    switch origin {
    case .host: try makeRoomAtHost()
    case .remote(let address): try admit(SourceAddress(address), now: now)
    }
    pairings.append(
      Pairing(
        id: id, nonce: TokenDigest(of: Array(nonce.utf8)), origin: origin, end: now + limits.lifetime,
        state: .open(attemptsLeft: limits.attempts)))
  }

  private mutating func makeRoomAtHost() throws(PairingError) {
    let own = pairings.indices.filter { pairings[$0].origin == .host }
    guard own.count >= limits.hostPairings else { return }
    guard let oldest = own.first(where: { !pairings[$0].isAsked }) else {
      throw .busy(retryAfter: .seconds(10))
    }
    pairings.remove(at: oldest)
  }

  private mutating func admit(_ address: SourceAddress, now: Duration) throws(PairingError) {
    let remote = pairings.filter { !$0.origin.isHost }
    if remote.count >= limits.remotePairings, let first = remote.map(\.end).min() {
      throw .busy(retryAfter: first - now)
    }
    requestsByAddress = requestsByAddress.filter { !$0.value.isClear(now: now) }
    var account = requestsByAddress[address] ?? RequestRate.Account(now: now)
    // The address first: what one sends too much of is not charged to all.
    let wait = max(
      account.wait(for: limits.requestsOfOneAddress, now: now), requests.wait(for: limits.requests, now: now))
    guard wait <= .zero else { throw .busy(retryAfter: wait) }
    account.charge(for: limits.requestsOfOneAddress, now: now)
    requests.charge(for: limits.requests, now: now)
    requestsByAddress[address] = account
  }

  /// Takes a device's confirmation; answers what a person is to be asked, until `end`.
  ///
  /// A wrong nonce does not use the pairing up, but a few of them do. The right one uses it up at once.
  mutating func confirm(
    id: String, nonce: String, deviceName: String, address: String, end: Duration, now: Duration
  ) throws(PairingError) -> PairingQuestion {
    expire(now: now)
    guard let index = pairings.firstIndex(where: { $0.id == id }), case .open(let attempts) = pairings[index].state
    else {
      throw .invalid
    }
    guard pairings[index].nonce.isOf(Array(nonce.utf8)) else {
      if attempts > 1 {
        pairings[index].state = .open(attemptsLeft: attempts - 1)
      } else {
        pairings.remove(at: index)
      }
      throw .invalid
    }
    let isHost = pairings[index].origin.isHost
    let asked = pairings.filter { $0.isAsked && !$0.origin.isHost }
    if !isHost, asked.count >= limits.remoteQuestions, let first = asked.map(\.end).min() {
      throw .busy(retryAfter: first - now)
    }
    let question = PairingQuestion(
      pairingID: id, deviceName: ShownText.line(deviceName, limit: Device.maximumName),
      address: ShownText.line(address, limit: Self.maximumAddress), isOpenedHere: isHost)
    pairings[index].state = .asked(question)
    pairings[index].end = end
    return question
  }

  /// The longest address that is shown, in characters.
  private static let maximumAddress = 64

  /// Takes a person's answer, for which a device waits.
  mutating func decide(id: String, now: Duration) throws(PairingError) -> PairingQuestion {
    expire(now: now)
    guard let index = pairings.firstIndex(where: { $0.id == id }), case .asked(let question) = pairings[index].state
    else {
      throw .noQuestion
    }
    pairings.remove(at: index)
    return question
  }

  /// The device no longer waits; an answer that comes now has no effect.
  mutating func withdraw(id: String) { pairings.removeAll { $0.id == id } }

  private mutating func expire(now: Duration) { pairings.removeAll { $0.end <= now } }
}
