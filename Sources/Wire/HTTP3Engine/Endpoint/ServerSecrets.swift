/// The secrets and memories that the connections of one endpoint share.
struct ServerSecrets {
  /// Stateless reset tokens are derived from it (RFC 9000 § 10.3.2).
  let reset: [UInt8]
  let validation: AddressValidation
  /// Nil for a server that gives out none.
  private(set) var tickets: SessionTickets?
  let ticketsPerConnection: UInt32
  /// Those of tickets.
  private var secrets: [[UInt8]]
  private let earlyData: EarlyDataMemory

  /// - Parameter common: what the endpoint shares with others; nil where it is the only one.
  init(_ configuration: ServerConfiguration, common: CommonSecrets?, random: RandomSource) {
    reset = configuration.resetSecret ?? random.bytes(32)
    let common = common ?? CommonSecrets(configuration, random: random)
    validation = common.validation
    ticketsPerConnection = configuration.ticketsPerConnection
    secrets = common.tickets
    earlyData = common.earlyData
    try? renewTickets(configuration)
  }

  /// Takes other ``ServerConfiguration/secrets`` for the connections to come; none changes nothing.
  mutating func replace(_ others: [[UInt8]]) {
    guard !others.isEmpty else { return }
    secrets = others
    tickets?.replace(others)
    validation.replace(others)
  }

  /// Takes early data with tickets that are given out from now on alone: what was replayed before, nobody here knows.
  mutating func renewTickets(_ configuration: ServerConfiguration) throws(HTTP3Error) {
    tickets = try SessionTickets(
      secrets: secrets, secondsSince1970: configuration.secondsSince1970, memory: earlyData)
  }
}
