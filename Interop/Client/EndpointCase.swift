/// The behaviours that TESTCASE names. The runner's other cases come under one of these: multiplexing, blackhole,
/// rebinding, IPv6 and others as `transfer`, a long round trip as `handshake`.
enum EndpointCase: String, CaseIterable {
  case handshake
  case transfer
  case multiconnect
  case chacha20
  case retry
  case resumption
  case zerortt
  case http3
  case keyupdate
  case ecn
  case v2
  case connectionmigration
}
