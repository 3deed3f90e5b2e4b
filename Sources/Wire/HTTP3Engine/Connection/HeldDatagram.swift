/// A datagram kept for the next batch.
struct HeldDatagram {
  var bytes: [UInt8]
  var path: NetworkPath
  var ecn: ECNCodepoint
}
