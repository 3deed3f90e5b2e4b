/// QUIC's own values where ours differ, for the arms that have none of our tuning.
enum StockRecovery {
  /// The first guess of a path's round trip (RFC 9002 § 6.2.2).
  static let initialRoundTrip = Duration.milliseconds(333)
  /// The time for which an acknowledgement may be held back (RFC 9000 § 18.2).
  static let maximumAckDelay = Duration.milliseconds(25)
}
