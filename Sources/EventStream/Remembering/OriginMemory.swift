/// What past connections taught about origins: how long HTTP/3 takes to connect, where UDP does not pass, and where an
/// origin says that it is served as well (RFC 7838).
///
/// A pure value. What is learnt of a path holds for one network; a mark that UDP is broken is so forgotten on the next
/// network. Times are seconds since 1970, since they outlive the process. The least recently used is forgotten first.
package struct OriginMemory: Equatable, Sendable {
  struct PathKey: Hashable, Sendable {
    var origin: String
    var network: String
  }

  /// What an origin offered last.
  struct Offers: Hashable, Sendable {
    /// Where the offers were heard; those that do not persist hold there alone.
    var network: String
    var heard: Int
    var services: [Kept]

    struct Kept: Hashable, Sendable {
      var service: AlternativeService
      var expires: Int
      var persists: Bool
    }
  }

  /// Origins, each on each network, and origins with alternatives.
  package static let limit = 256
  /// Seconds that an offer is believed, however long the origin says; and that anything unused is kept.
  package static let lifetime = 30 * 86_400
  private static let originLengthLimit = 300
  private static let networkLengthLimit = 64

  var paths: [PathKey: PathRecord] = [:]
  var offers: [String: Offers] = [:]

  package init() {}

  // MARK: Asking

  /// How a race to the origin begins.
  ///
  /// - Parameter headStart: of HTTP/3 where nothing is known.
  package func plan(for origin: String, on network: String, headStart: Duration, now: Int) -> RacePlan {
    guard let path = paths[PathKey(origin: origin, network: network)] else { return .headStart(headStart) }
    guard let broken = path.broken(at: now) else {
      return .headStart(path.connect?.headStart ?? headStart)
    }
    let (since, until) = (Self.words(now - broken.since), Self.words(broken.until - now))
    return .firstHeldBack(reason: "UDP failed on this network \(since) ago, the next try is in \(until).")
  }

  /// For how long UDP counts as broken; zero where it does not.
  package func brokenTime(of origin: String, on network: String, now: Int) -> Duration {
    guard let broken = paths[PathKey(origin: origin, network: network)]?.broken(at: now) else { return .zero }
    return .seconds(max(broken.until - now, 0))
  }

  /// Where the origin wants HTTP/3 to go; nil for the origin itself.
  package func alternative(for origin: String, on network: String, now: Int) -> AlternativeService? {
    guard let offers = offers[origin] else { return nil }
    return offers.services.first { Self.holds($0, offers, on: network, now: now) }?.service
  }

  /// Whether ``learn(_:from:on:now:)`` would change more than a few of the seconds that an offer holds.
  package func isNews(_ field: AltSvc, from origin: String, on network: String, now: Int) -> Bool {
    var after = self
    after.learn(field, from: origin, on: network, now: now)
    guard let new = after.offers[origin], let old = offers[origin] else {
      return after.offers[origin] != offers[origin]
    }
    guard new.network == old.network, new.services.count == old.services.count else { return true }
    return zip(new.services, old.services).contains { new, old in
      // An eighth of what is left: a service with a year's `ma` need not be written down with every response.
      new.service != old.service || new.persists != old.persists || new.expires - old.expires > (new.expires - now) / 8
        || new.expires < old.expires
    }
  }

  // MARK: Learning

  /// HTTP/3 was connected, this long after the race began.
  package mutating func http3Connected(
    to origin: String, on network: String, after duration: Duration, now: Int
  ) {
    change(origin, network, now) { $0.succeeded(after: duration, now: now) }
  }

  /// UDP carried nothing while TCP was connected.
  package mutating func udpFailed(to origin: String, on network: String, now: Int) {
    change(origin, network, now) { $0.failed(now: now) }
  }

  /// What a response's `alt-svc` says takes the place of what the origin said before.
  package mutating func learn(_ field: AltSvc, from origin: String, on network: String, now: Int) {
    guard Self.canBeKept(origin, network, now) else { return }
    switch field {
    case .clear: offers[origin] = nil
    case .offers(let all):
      let kept = all.filter { $0.maximumAge > 0 }.prefix(AltSvc.limit).map { offer in
        Offers.Kept(
          service: offer.service, expires: now + min(offer.maximumAge, Self.lifetime), persists: offer.persists)
      }
      offers[origin] = kept.isEmpty ? nil : Offers(network: network, heard: now, services: kept)
    }
    trim()
  }

  /// The alternative does not serve the origin after all (status 421, RFC 7838 § 6).
  package mutating func forgetAlternatives(of origin: String) {
    offers[origin] = nil
  }

  // MARK: Keeping

  /// Forgets what is over, and what is beyond the limit.
  mutating func forgetWhatIsOld(now: Int) {
    paths = paths.filter { abs(now - $0.value.used) <= Self.lifetime }
    offers = offers.compactMapValues { kept in
      var kept = kept
      kept.services.removeAll { $0.expires <= now || $0.expires - now > Self.lifetime }
      return kept.services.isEmpty ? nil : kept
    }
    trim()
  }

  /// Whether these can be told apart from other words of a line, and moments be added to.
  static func canBeKept(_ origin: String, _ network: String, _ now: Int) -> Bool {
    func isWord(_ text: String, _ limit: Int) -> Bool {
      (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
    return isWord(origin, originLengthLimit) && isWord(network, networkLengthLimit) && (0...(1 << 53)).contains(now)
  }

  private mutating func change(_ origin: String, _ network: String, _ now: Int, _ change: (inout PathRecord) -> Void) {
    guard Self.canBeKept(origin, network, now) else { return }
    change(&paths[PathKey(origin: origin, network: network), default: PathRecord(used: now)])
    trim()
  }

  private mutating func trim() {
    if paths.count > Self.limit {
      for old in paths.sorted(by: { $0.value.used > $1.value.used }).dropFirst(Self.limit) { paths[old.key] = nil }
    }
    if offers.count > Self.limit {
      for old in offers.sorted(by: { $0.value.heard > $1.value.heard }).dropFirst(Self.limit) { offers[old.key] = nil }
    }
  }

  private static func holds(_ kept: Offers.Kept, _ offers: Offers, on network: String, now: Int) -> Bool {
    (kept.persists || offers.network == network) && now < kept.expires && kept.expires - now <= lifetime
  }

  /// A span for a person: `40 s`, `12 min`, `5 h`.
  private static func words(_ seconds: Int) -> String {
    switch seconds {
    case ..<90: "\(max(seconds, 0)) s"
    case ..<5_400: "\((seconds + 30) / 60) min"
    default: "\((seconds + 1_800) / 3_600) h"
    }
  }
}
