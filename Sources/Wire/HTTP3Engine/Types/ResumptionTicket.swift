/// A client's ticket for a faster next connection to the same server: TLS's session, and what
/// the server allowed, as far as early data is bound to it (RFC 9001 § 4.6, RFC 9114 § 7.2.4.2).
///
/// A secret, to be used once: an observer could see that two connections with one ticket are of one client
/// (RFC 8446 § C.4).
package struct ResumptionTicket: Hashable, Sendable {
  /// GnuTLS's session data. The ticket's age limit is in it, and GnuTLS keeps to it.
  package var session: [UInt8]
  /// The server's certificates (DER, leaf first), which are verified again before the ticket is used.
  package var certificates: [[UInt8]]
  /// The server's transport parameters that bind early data, encoded (RFC 9000 § 7.4.1).
  package var transportParameters: [UInt8]
  package var settings: PeerSettings

  package init(
    session: [UInt8], certificates: [[UInt8]], transportParameters: [UInt8], settings: PeerSettings
  ) {
    self.session = session
    self.certificates = certificates
    self.transportParameters = transportParameters
    self.settings = settings
  }
}

/// The peer's SETTINGS (RFC 9114 § 7.2.4.1, RFC 9204 § 5, RFC 9220, RFC 9297).
package struct PeerSettings: Hashable, Sendable {
  package var maximumFieldSectionSize: UInt64
  package var qpackTableCapacity: UInt64
  package var qpackBlockedStreams: UInt64
  package var allowsExtendedConnect: Bool
  package var allowsDatagrams: Bool

  /// The settings of a protocol that has none.
  static let unknown = PeerSettings(
    maximumFieldSectionSize: 0, qpackTableCapacity: 0, qpackBlockedStreams: 0, allowsExtendedConnect: false,
    allowsDatagrams: false)

  package init(
    maximumFieldSectionSize: UInt64, qpackTableCapacity: UInt64, qpackBlockedStreams: UInt64,
    allowsExtendedConnect: Bool, allowsDatagrams: Bool
  ) {
    self.maximumFieldSectionSize = maximumFieldSectionSize
    self.qpackTableCapacity = qpackTableCapacity
    self.qpackBlockedStreams = qpackBlockedStreams
    self.allowsExtendedConnect = allowsExtendedConnect
    self.allowsDatagrams = allowsDatagrams
  }

  /// Whether a server that took early data, sent under the remembered settings, may send these: it must not lower a
  /// limit (RFC 9114 § 7.2.4.2), nor change a table's capacity at all (RFC 9204 § 3.2.3).
  package func honours(_ remembered: PeerSettings) -> Bool {
    maximumFieldSectionSize >= remembered.maximumFieldSectionSize
      && (remembered.qpackTableCapacity == 0 || qpackTableCapacity == remembered.qpackTableCapacity)
      && qpackBlockedStreams >= remembered.qpackBlockedStreams
      && (allowsExtendedConnect || !remembered.allowsExtendedConnect)
      && (allowsDatagrams || !remembered.allowsDatagrams)
  }
}
