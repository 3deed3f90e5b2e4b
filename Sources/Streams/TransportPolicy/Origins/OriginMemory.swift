/// The memory of past connections to origins: how long HTTP/3 takes to connect, where UDP does not pass, and where an
/// origin says that it is served as well (RFC 7838).
///
/// A pure value. What is learnt of a path, to the origin itself or to an alternative, holds for one network; a mark that
/// UDP is broken is so forgotten on the next network. Times are seconds since 1970, since they outlive the process. The
/// least recently used is forgotten first.
package struct OriginMemory: Equatable, Sendable {
  struct PathKey: Hashable, Sendable {
    /// The origin; for an alternative of it (`https://a.example>b.example:444`) its authority follows.
    var place: String
    var network: String

    init(place: String, network: String) {
      self.place = place
      self.network = network
    }

    init(_ origin: String, at service: AlternativeService?, on network: String) {
      self.init(place: service.map { "\(origin)>\($0.authority(for: ""))" } ?? origin, network: network)
    }
  }

  /// The last offers of an origin.
  struct Offers: Hashable, Sendable {
    /// The network on which the offers were heard; those that do not persist hold there alone.
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
  /// An origin and the longest alternative.
  static let placeLengthLimit = 600
  private static let networkLengthLimit = 64

  var paths: [PathKey: PathRecord] = [:]
  var offers: [String: Offers] = [:]

  package init() {}

  // MARK: Asking

  /// The beginning of a race to the origin.
  ///
  /// - Parameters:
  ///   - service: where HTTP/3 goes, as ``alternative(for:on:now:where:)`` says.
  ///   - headStart: of HTTP/3 where nothing is known.
  package func plan(
    for origin: String, at service: AlternativeService? = nil, on network: String, headStart: Duration, now: Int
  ) -> RacePlan {
    guard let path = paths[PathKey(origin, at: service, on: network)] else { return .headStart(headStart) }
    guard let broken = path.broken(at: now) else {
      return .headStart(path.connect?.headStart ?? headStart)
    }
    let (since, until) = (Self.words(now - broken.since), Self.words(broken.until - now))
    return .firstHeldBack(reason: "UDP failed on this network \(since) ago, the next try is in \(until).")
  }

  /// For how long UDP counts as broken; zero where it does not.
  package func brokenTime(
    of origin: String, at service: AlternativeService? = nil, on network: String, now: Int
  ) -> Duration {
    guard let broken = paths[PathKey(origin, at: service, on: network)]?.broken(at: now) else { return .zero }
    return .seconds(max(broken.until - now, 0))
  }

  /// The place that HTTP/3 connects to: the first that does not count as broken, of those that the origin offers and,
  /// behind them, the origin itself, for which nil stands (RFC 7838 § 2.4). Where all do, it is the one that is tried
  /// next.
  ///
  /// - Parameter isAllowed: whether an offer may be followed.
  package func alternative(
    for origin: String, on network: String, now: Int, where isAllowed: (AlternativeService) -> Bool = { _ in true }
  ) -> AlternativeService? {
    guard let offers = offers[origin] else { return nil }
    var places = offers.services.filter { Self.holds($0, offers, on: network, now: now) && isAllowed($0.service) }
      .map { Self.isItself($0.service, origin) ? nil : $0.service }
    places.append(nil)
    let next = places.min {
      brokenTime(of: origin, at: $0, on: network, now: now)
        < brokenTime(of: origin, at: $1, on: network, now: now)
    }
    return next ?? nil
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
  ///
  /// - Parameter service: the alternative that it was connected to; nil for the origin itself.
  package mutating func http3Connected(
    to origin: String, at service: AlternativeService? = nil, on network: String, after duration: Duration, now: Int
  ) {
    change(origin, service, network, now) { $0.succeeded(after: duration, now: now) }
  }

  /// UDP carried nothing while TCP was connected, or the alternative was none.
  package mutating func udpFailed(
    to origin: String, at service: AlternativeService? = nil, on network: String, now: Int
  ) {
    change(origin, service, network, now) { $0.failed(now: now) }
  }

  /// Replaces what the origin said before by a response's `alt-svc`.
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

  /// Whether these can be distinguished from other words of a line, and moments be added to.
  static func canBeKept(
    _ origin: String, _ network: String, _ now: Int, lengthLimit: Int = originLengthLimit
  ) -> Bool {
    func isWord(_ text: String, _ limit: Int) -> Bool {
      (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
    return isWord(origin, lengthLimit) && isWord(network, networkLengthLimit) && (0...(1 << 53)).contains(now)
  }

  private mutating func change(
    _ origin: String, _ service: AlternativeService?, _ network: String, _ now: Int,
    _ change: (inout PathRecord) -> Void
  ) {
    guard Self.canBeKept(origin, network, now) else { return }
    change(&paths[PathKey(origin, at: service, on: network), default: PathRecord(used: now)])
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

  /// Whether the service is the origin itself, whose text leaves out port 443.
  private static func isItself(_ service: AlternativeService, _ origin: String) -> Bool {
    let hasPort = !origin.hasSuffix("]") && origin.dropFirst("https:".count).contains(":")
    let full = hasPort ? origin : origin + ":443"
    return service.host == nil ? full.hasSuffix(":\(service.port)") : full == "https://" + service.authority(for: "")
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
