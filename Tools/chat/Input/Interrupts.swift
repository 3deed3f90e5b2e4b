import ArgumentParser
import Dispatch
import Foundation

/// Ctrl-C as a sequence instead of the end of the process.
///
/// SIGINT is ignored and read by a dispatch source: nothing runs in a signal handler.
@MainActor
final class Interrupts {
  private let arrivals: AsyncStream<Void>
  private let source: any DispatchSourceSignal

  init() {
    let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(2))
    self.arrivals = arrivals
    signal(SIGINT, SIG_IGN)
    source = DispatchSource.makeSignalSource(signal: SIGINT, queue: DispatchQueue(label: "chat.interrupts"))
    // Sendable, lest the closure count as the main actor's: the queue's thread runs it.
    let report: @Sendable () -> Void = { continuation.yield() }
    source.setEventHandler(handler: report)
    source.activate()
  }

  /// The first one stops the turn, a second one before another turn has begun ends the program.
  func apply(to conversation: Conversation) async {
    var warned = false
    for await _ in arrivals {
      if conversation.isTurnInProgress {
        warned = true
        await conversation.cancelTurn()
      } else if warned || !conversation.isInteractive {
        Foundation.exit(ExitCode.interrupted.rawValue)
      } else {
        warned = true
        Output.status("\n[Ctrl-C again quits]\n").write()
      }
    }
  }
}
