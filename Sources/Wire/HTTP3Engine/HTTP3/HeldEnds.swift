/// Streams whose message's end was offered to QUIC and found no room.
///
/// nghttp3 (1.8) keeps an end without data as an empty entry behind the data, and drops it with the data when that is
/// acknowledged; an end that was offered and held back by pacing or the congestion window would never be sent. One that
/// it does know takes this as that end's having left, and of one that it has forgotten there is nothing to take.
struct HeldEnds {
  private var ids: Set<StreamID> = [] {
    didSet { isEmpty = ids.isEmpty }
  }
  /// Asked for each packet, which a look into the set would cost much more.
  private(set) var isEmpty = true

  mutating func insert(_ id: StreamID) { ids.insert(id) }

  mutating func remove(_ id: StreamID) {
    if !isEmpty { ids.remove(id) }
  }

  mutating func removeAll() { ids = [] }

  /// An end that was held back until all before it was acknowledged. It is a few bytes and goes before all else: another
  /// response that always has something to send would never let nghttp3 run out.
  func forgotten(_ isAcknowledged: (StreamID) -> Bool) -> StreamID? { ids.first(where: isAcknowledged) }
}
