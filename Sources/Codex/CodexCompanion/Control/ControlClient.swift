import Glibc
import NIOCore
import NIOPosix

/// Asks the companion that runs on this machine.
package struct ControlClient: Sendable {
  private let path: String
  private let limits: ControlLimits

  package init(path: String, limits: ControlLimits = ControlLimits()) {
    self.path = path
    self.limits = limits
  }

  /// Sends a command and waits for its reply, a refusal among them. Throws ``ControlError``.
  package func ask(_ command: ControlCommand) async throws(ControlError) -> ControlReply {
    try ControlSocketFile.check(path)
    let loop = MultiThreadedEventLoopGroup.singleton.any()
    let promise = loop.makePromise(of: ControlReply.self)
    let channel: any Channel
    do {
      channel = try await ClientBootstrap(group: loop)
        .channelInitializer { [limits] channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
              ControlCall(
                command, replyBytes: limits.replyBytes, promise: promise, peerUser: { PeerUser.of($0) }))
          }
        }
        .connect(unixDomainSocketPath: path).get()
    } catch {
      let failure = failure(toConnect: error)
      promise.fail(failure)
      throw failure
    }
    let limit = loop.scheduleTask(in: TimeAmount(limits.clientTime)) {
      promise.fail(ControlError(.timedOut, "The companion did not reply in time; look into its log, or restart it."))
      channel.close(promise: nil)
    }
    defer { limit.cancel() }
    do {
      return try await promise.futureResult.get()
    } catch let error as ControlError {
      throw error
    } catch {
      throw ControlError(.connection, "The connection to the companion broke: \(error).", cause: error)
    }
  }

  private func failure(toConnect error: any Error) -> ControlError {
    switch (error as? IOError)?.errnoCode {
    case ENOENT, ECONNREFUSED:
      ControlError(
        .notRunning,
        "No companion is running here ('\(path)'). Start one with 'companion serve', or name its folder with "
          + "--state-folder.", cause: error)
    case EACCES, EPERM:
      ControlError(
        .foreignUser, "'\(path)' is closed to you; run this program as the user of the companion.", cause: error)
    default:
      ControlError(.connection, "The companion cannot be reached at '\(path)': \(error).", cause: error)
    }
  }
}
