/// The secrets of tickets and tokens that a server starts with, and whether it takes early data with them.
struct StartingSecrets {
  /// None for those that nobody else has.
  var secrets: [[UInt8]]
  var takesEarlyData: Bool
}

extension HTTP3ServerOptions {
  /// Those that were given; throws ``TransportError`` with `invalidRequest` where they are too short, or too many to try.
  func startingSecrets() throws(TransportError) -> StartingSecrets {
    guard secrets.count <= 8, secrets.allSatisfy({ (32...1_024).contains($0.count) }) else {
      throw TransportError(.invalidRequest, "A server's secrets are 8 at most, of 32 to 1024 random bytes each.")
    }
    return StartingSecrets(
      secrets: secrets, takesEarlyData: takesEarlyData && (secrets.isEmpty || takesEarlyDataUnderGivenSecrets))
  }
}
