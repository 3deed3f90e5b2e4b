/// The record of HTTP/3 from one network to one origin. Times are seconds since 1970.
package struct PathRecord: Hashable, Sendable {
  /// The time that HTTP/3 took to connect; nil while it never has.
  package var connect: ConnectEstimate?
  /// UDP did not get through, and until when that is taken for granted.
  package private(set) var broken: Broken?
  /// Seconds that the next failure counts for.
  package private(set) var nextSpan: Int
  /// The time of the latest lesson.
  package private(set) var used: Int

  package struct Broken: Hashable, Sendable {
    package var since: Int
    package var until: Int
  }

  /// Five minutes and two days, as in Chromium's broken alternative services.
  package static let spans = 300...172_800

  package init(used: Int) {
    nextSpan = Self.spans.lowerBound
    self.used = used
  }

  /// A record as it was kept; nil where it cannot be one.
  package init?(connect: ConnectEstimate?, broken: Broken?, nextSpan: Int, used: Int) {
    guard Self.spans.contains(nextSpan) else { return nil }
    if let broken {
      guard broken.until >= broken.since, broken.until - broken.since <= Self.spans.upperBound else { return nil }
    }
    self.connect = connect
    self.broken = broken
    self.nextSpan = nextSpan
    self.used = used
  }

  /// The mark, while it holds. One that lies further ahead than any can is from a clock that was wrong.
  package func broken(at now: Int) -> Broken? {
    guard let broken, now < broken.until, broken.until - now <= Self.spans.upperBound else { return nil }
    return broken
  }

  /// HTTP/3 was connected: the mark goes, and the next one counts for half as long.
  package mutating func succeeded(after duration: Duration, now: Int) {
    if connect?.add(duration) == nil { connect = ConnectEstimate(duration) }
    broken = nil
    nextSpan = max(nextSpan / 2, Self.spans.lowerBound)
    used = now
  }

  /// UDP carried nothing though TCP was connected. News while a mark holds changes nothing: it says the same.
  package mutating func failed(now: Int) {
    guard broken(at: now) == nil else { return }
    broken = Broken(since: now, until: now + nextSpan)
    nextSpan = min(nextSpan * 2, Self.spans.upperBound)
    used = now
  }
}
