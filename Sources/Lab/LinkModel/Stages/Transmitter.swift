/// Puts one packet after another on a line of limited rate: when each begins and ends, known as it comes.
struct Transmitter: Sendable {
  private enum Capacity: Sendable {
    case rate(nanosecondsPerByte: Double)
    case opportunities(OpportunityCursor)
  }

  private var capacity: Capacity
  /// The time at which the last packet's last bit has gone: whole nanoseconds and the rest of one, so that rounding
  /// never adds up.
  private(set) var idleAt = -LinkTime.limit
  private var idleFraction = 0.0

  init?(_ conditions: DirectionConditions) {
    if let opportunities = conditions.deliveryOpportunitiesMilliseconds {
      guard let cursor = OpportunityCursor(milliseconds: opportunities) else { return nil }
      capacity = .opportunities(cursor)
    } else if let rate = conditions.rateBitsPerSecond {
      capacity = .rate(nanosecondsPerByte: 8 * LinkTime.perSecond / rate)
    } else {
      return nil
    }
  }

  /// The time at which the transmission of a packet that comes now would begin. Delivery opportunities run from the
  /// link's start; before it such a link has no limit.
  func begin(at now: Int64, start: Int64?) -> Int64 {
    switch capacity {
    case .rate:
      return max(now, idleAt)
    case .opportunities(let cursor):
      guard let start else { return now }
      return max(now, start + cursor.next(from: max(now, idleAt) - start))
    }
  }

  /// Transmits a packet after those before it; answers when its last bit has gone.
  mutating func transmit(_ size: Int, at now: Int64, start: Int64?) -> Int64 {
    switch capacity {
    case .rate(let nanosecondsPerByte):
      if now > idleAt {
        idleAt = now
        idleFraction = 0
      }
      let duration = Double(size) * nanosecondsPerByte + idleFraction
      let whole = Int64(duration)
      idleAt += whole
      idleFraction = duration - Double(whole)
      return idleAt
    case .opportunities(var cursor):
      guard let start else { return now }
      idleAt = start + cursor.take(size, from: now - start)
      capacity = .opportunities(cursor)
      return idleAt
    }
  }
}
