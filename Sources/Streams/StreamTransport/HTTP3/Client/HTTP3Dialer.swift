import HTTP3Engine
import Logging

/// Makes the connections of one opening, each to one address of the server.
struct HTTP3Dialer: Sendable {
  let client: ClientConfiguration
  let configuration: HTTP3TransportConfiguration
  let memory: ServerMemory
  let supply: ResumptionSupply
  /// Requests that wait for a connection that takes them before the end of its handshake.
  let offers: EarlyOffers
  let metrics: ProtocolMetrics
  let network: LocalNetwork
  let random: TransportRandom
  let loop: EventLoop
  let logger: Logger
  let qlog: QlogDirectory?
  let nameLookup: Duration
  /// The time at which handshakes end at the latest.
  let deadline: Timestamp
  let watch: @Sendable (HTTP3ClientConnection, PathHealth) -> Void

  /// A connection whose handshake is done. One that failed for what the next one does without is tried once more, without
  /// marks of ECN or without a ticket.
  func connect(to address: NetworkAddress) async throws(TransportError) -> HTTP3ClientConnection {
    do {
      while true {
        let connection = try await begin(at: address)
        do {
          _ = try await connection.establish()
          return connection
        } catch {
          await connection.close(.fasterAddress)
          guard await connection.isWorthAnother, !Task.isCancelled else { throw error }
        }
      }
    } catch let error as TransportError {
      throw error
    } catch let error as SystemError {
      throw TransportError(error, sendingTo: address)
    } catch let error as HTTP3Error {
      throw TransportError(error)
    } catch {
      throw TransportError(.cancelled, "Connecting to \(address) was cancelled.", cause: error)
    }
  }

  private func begin(at address: NetworkAddress) async throws -> HTTP3ClientConnection {
    try Task.checkCancellation()
    let resumption = await supply.take()
    var client = client
    client.connection.handshakeTimeout = max(deadline - loop.now, .milliseconds(1))
    client.connection.usesECN = memory.ecn.usesECN
    client.resume(resumption, sendsEarlyData: configuration.sendsEarlyData)
    do {
      let connection = try HTTP3ClientConnection(
        to: address, client, configuration: configuration, memory: memory, metrics: metrics, loop: loop, logger: logger,
        qlog: qlog, nameLookup: nameLookup, network: network, random: random, watch: watch)
      offers.announce(connection)
      return connection
    } catch {
      supply.giveBack(resumption)
      throw error
    }
  }
}

extension TransportError {
  static var fasterAddress: TransportError { TransportError(.cancelled, "Another address was faster.") }
}
