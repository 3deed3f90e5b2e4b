import HTTP3Engine

/// The loops of one server as one: each has a socket at the server's addresses, and the connections whose ids lead to it.
final class ServerLoops: Sendable {
  /// In the order of their places; not empty.
  let drivers: [HTTP3ServerDriver]
  private let setup: ServerSetup

  /// Binds the sockets.
  ///
  /// - Parameter addresses: where clients begin, and then those that they are to continue at.
  init(_ setup: ServerSetup, at addresses: [NetworkAddress]) throws {
    self.setup = setup
    let count = setup.configuration.options.loops
    let neighbours = count > 1 ? LoopNeighbours.all(Self.steering(setup)) : []
    var addresses = addresses
    var drivers: [HTTP3ServerDriver] = []
    for (index, loop) in try EventLoopGroup.shared.get().nextLoops(count).enumerated() {
      let driver = try HTTP3ServerDriver(
        setup, on: loop, neighbours: neighbours.isEmpty ? nil : neighbours[index], at: addresses)
      // With the ports that the system chose for the first.
      addresses = driver.addresses
      drivers.append(driver)
    }
    self.drivers = drivers
  }

  private static func steering(_ setup: ServerSetup) -> LoopSteering {
    LoopSteering(
      loopCount: setup.configuration.options.loops,
      multiplier: UInt32(truncatingIfNeeded: setup.configuration.random.next()))
  }

  var port: Int { Int(drivers[0].addresses[0].port) }
  var credentials: ServerCredentials { setup.engine.credentials }

  /// Starts to listen.
  func open() async throws {
    do {
      for driver in drivers { try await driver.open() }
    } catch {
      await close()
      throw error
    }
  }

  func goAway() async {
    for driver in drivers { await driver.goAway() }
  }

  /// Lets running requests finish, for at most `limit`, and then closes.
  func drain(within limit: Duration) async {
    await withTaskGroup(of: Void.self) { group in
      for driver in drivers { group.addTask { await driver.finishExchanges(within: limit) } }
    }
    await close()
  }

  /// Closes all connections and stops to listen.
  func close() async {
    // The last first, which leaves the sockets of the others their indices.
    for driver in drivers.reversed() { await driver.close() }
  }

  /// Returns when the traces of all connections until now are written.
  func flushQlog() async { await setup.qlog?.flush() }

  func use(secrets: [[UInt8]]) async {
    for driver in drivers { await driver.use(secrets: secrets) }
  }

  func beginEarlyData() async throws {
    for driver in drivers { try await driver.beginEarlyData() }
  }
}
