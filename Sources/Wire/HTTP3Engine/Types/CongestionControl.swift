/// The bytes that a sender has in flight; each side of a connection has its own.
package enum CongestionControl: Hashable, Sendable, CaseIterable {
  /// RFC 9438.
  case cubic
  /// RFC 9002 § 7.
  case reno
  /// draft-ietf-ccwg-bbr, as far as ngtcp2 has it. For measurements alone: 1.11 fails an assertion
  /// (lib/ngtcp2_bbr.c:1000) when a peer moves to another address and loses packets of the old one.
  case bbr
}
