/// The secrets and memories that the connections of one server share.
struct ServerSecrets {
  /// Stateless reset tokens are derived from it (RFC 9000 § 10.3.2).
  var reset: [UInt8]
  var validation: AddressValidation
  /// Nil for a server that gives out none.
  var tickets: SessionTickets?
  var ticketsPerConnection: UInt32
}
