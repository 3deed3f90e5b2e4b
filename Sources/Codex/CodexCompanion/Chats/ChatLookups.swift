/// Limits how often codex is asked about unknown chats: takes the time, and returns whether codex may be asked.
///
/// A chat that is known costs nothing. One that is not costs a call, and at worst codex's whole list.
struct ChatLookups: Sendable {
  enum Verdict: Equatable, Sendable {
    case ask
    /// The chat was unknown a moment ago.
    case unknown
    /// This device asked for so many that it has to wait.
    case wait(Duration)
  }

  /// Chats that a device may ask for without their being known: these at once, then one in each interval.
  static let rate = RequestRate(burst: 32, interval: .seconds(2))
  /// The time for which a chat that was not found counts as unknown. Another program may begin one by that id after it.
  static let memory = Duration.seconds(20)
  /// The time for which codex's list is not read again for a chat that is not in it.
  static let listPause = Duration.seconds(5)
  private static let unknownLimit = 1_024
  private static let deviceLimit = 256

  private var unknown: [String: Duration] = [:]
  private var accounts: [Device.ID: RequestRate.Account] = [:]
  private var listedAt: Duration?

  /// Whether codex may be asked for a chat that is not known; that is charged to the device.
  mutating func verdict(on chatID: String, for device: Device.ID?, now: Duration) -> Verdict {
    if let end = unknown[chatID], now < end { return .unknown }
    guard let device else { return .ask }
    var account = accounts[device] ?? RequestRate.Account(now: now)
    let wait = account.wait(for: Self.rate, now: now)
    guard wait <= .zero else { return .wait(wait) }
    account.charge(for: Self.rate, now: now)
    if accounts.count >= Self.deviceLimit { accounts = accounts.filter { !$0.value.isClear(now: now) } }
    accounts[device] = account
    return .ask
  }

  /// Whether codex's whole list may be read for the sake of one chat.
  mutating func mayList(now: Duration) -> Bool {
    if let listedAt, now - listedAt < Self.listPause { return false }
    listedAt = now
    return true
  }

  mutating func notFound(_ chatID: String, now: Duration) {
    if unknown.count >= Self.unknownLimit { unknown = unknown.filter { now < $0.value } }
    // A client that fills it within its time is slowed by the rate.
    if unknown.count >= Self.unknownLimit { unknown.removeAll() }
    unknown[chatID] = now + Self.memory
  }

  mutating func found(_ chatID: String) { unknown[chatID] = nil }
}
