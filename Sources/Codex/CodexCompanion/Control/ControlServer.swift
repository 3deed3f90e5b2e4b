import Glibc
package import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Serves the control socket: a unix socket by which a person at the workstation speaks to the companion.
///
/// Programs of the same user alone are answered, each connection once: one ``ControlCommand``, one ``ControlReply``, a line
/// of JSON each.
package final class ControlServer: Sendable {
  private enum State {
    case idle
    case starting
    case running(any Channel, ControlSocketFile)
    case stopped
  }

  private let path: String
  private let limits: ControlLimits
  private let logger: Logger
  private let responder: any ControlResponder
  private let state = Mutex(State.idle)

  /// - Parameters:
  ///   - path: where the socket is to be, in a folder that is closed to other users.
  ///   - responder: does what a command says.
  package init(
    path: String, limits: ControlLimits = ControlLimits(), logger: Logger, responder: any ControlResponder
  ) {
    self.path = path
    self.limits = limits
    self.logger = logger
    self.responder = responder
  }

  /// Takes the place of a companion that was killed, never of one that runs. Throws ``ControlError``.
  package func start() async throws(ControlError) {
    let isFirst = state.withLock { state in
      guard case .idle = state else { return false }
      state = .starting
      return true
    }
    guard isFirst else { throw ControlError(.state, "The control socket was served before; make a new server.") }
    do throws(ControlError) {
      let file = try ControlSocketFile(claiming: path)
      let channel = try await listen()
      do throws(ControlError) {
        try file.restrict()
      } catch {
        try? await channel.close()
        file.remove()
        throw error
      }
      let isWanted = state.withLock { state in
        guard case .starting = state else { return false }
        state = .running(channel, file)
        return true
      }
      guard isWanted else {
        file.remove()
        try? await channel.close()
        throw ControlError(.state, "The control socket was shut down while it was started.")
      }
      logger.debug("control socket is served", metadata: ["path": "\(path)"])
    } catch {
      state.withLock { $0 = .stopped }
      throw error
    }
  }

  /// Takes no more connections and removes the socket; the open ones get their replies.
  package func shutdown() async {
    let running = state.withLock { state -> (any Channel, ControlSocketFile)? in
      defer { state = .stopped }
      guard case .running(let channel, let file) = state else { return nil }
      return (channel, file)
    }
    guard let (channel, file) = running else { return }
    file.remove()
    try? await channel.close()
  }

  private func listen() async throws(ControlError) -> any Channel {
    let slots = ControlSlots(limit: limits.connections)
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelOption(ChannelOptions.autoRead, value: false)
      // One that has sent its command may close that direction, as nc -N does.
      .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { [limits, responder] channel in
        channel.eventLoop.makeCompletedFuture {
          // A connection whose preparation fails is closed.
          guard slots.take() else { throw ControlError(.connection, "Too many programs talk to the companion.") }
          channel.closeFuture.whenComplete { _ in slots.giveBack() }
          try channel.pipeline.syncOperations.addHandler(
            ControlConnection(limits: limits, peerUser: { PeerUser.of($0) }, responder: responder))
        }
      }
    do {
      return try await bootstrap.bind(unixDomainSocketPath: path).get()
    } catch {
      throw ControlError(.path, "The control socket '\(path)' cannot be served: \(error).", cause: error)
    }
  }
}
