/// The secrets and memories that the endpoints of one server have in common, of which each may be on a loop of its own: a ticket or
/// a token of one is good at all, and used up at all.
package final class CommonSecrets: Sendable {
  let validation: AddressValidation
  /// Those of tickets, until they are replaced.
  let tickets: [[UInt8]]
  let earlyData: EarlyDataMemory

  package init(_ configuration: ServerConfiguration, random: RandomSource) {
    validation = AddressValidation(
      random: random, secrets: configuration.secrets, secondsSince1970: configuration.secondsSince1970)
    tickets = configuration.secrets.isEmpty ? [random.bytes(32)] : configuration.secrets
    earlyData = EarlyDataMemory(capacity: configuration.earlyDataMemory)
  }
}
