import CQUIC

/// Makes the connection ids of an endpoint: random ones that lead to its loop, and by which load balancers route.
struct ConnectionIDMaker {
  /// Nil where there is but one loop.
  var place: LoopPlace?
  /// Nil where nobody routes.
  var routing: RoutableIDs?

  func make(_ length: Int = ConnectionID.ownLength, from random: RandomSource) -> ngtcp2_cid {
    var cid = ngtcp2_cid()
    ngtcp2_cid_init(&cid, bytes(length, from: random), length)
    return cid
  }

  private func bytes(_ length: Int, from random: RandomSource) -> [UInt8] {
    if let routing { return routing.make(length, for: place, from: random) }
    var id = random.bytes(length)
    place?.claim(&id)
    return id
  }
}

extension ServerConfiguration {
  var connectionIDs: ConnectionIDMaker { ConnectionIDMaker(place: place, routing: routing) }
}
