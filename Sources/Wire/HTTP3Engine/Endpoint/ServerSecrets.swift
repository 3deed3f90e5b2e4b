/// The secrets and memories that the connections of one server share.
struct ServerSecrets {
  /// Stateless reset tokens are derived from it (RFC 9000 § 10.3.2).
  let reset: [UInt8]
  let validation: AddressValidation
  /// Nil for a server that gives out none.
  private(set) var tickets: SessionTickets?
  let ticketsPerConnection: UInt32
  /// Those of tickets.
  private var secrets: [[UInt8]]

  init(_ configuration: ServerConfiguration, random: RandomSource) {
    reset = configuration.resetSecret ?? random.bytes(32)
    validation = AddressValidation(
      random: random, secrets: configuration.secrets, secondsSince1970: configuration.secondsSince1970)
    ticketsPerConnection = configuration.ticketsPerConnection
    secrets = configuration.secrets.isEmpty ? [random.bytes(32)] : configuration.secrets
    try? renewTickets(configuration)
  }

  /// Takes other ``ServerConfiguration/secrets`` for the connections to come; none changes nothing.
  mutating func replace(_ others: [[UInt8]]) {
    guard !others.isEmpty else { return }
    secrets = others
    tickets?.replace(others)
    validation.replace(others)
  }

  /// Begins a new memory of early data, which is taken with tickets that are given out from now on alone: what was replayed
  /// before, nobody here knows.
  mutating func renewTickets(_ configuration: ServerConfiguration) throws(HTTP3Error) {
    tickets = try SessionTickets(
      secrets: secrets, secondsSince1970: configuration.secondsSince1970, capacity: configuration.earlyDataMemory)
  }
}
