import ArgumentParser
import Dispatch

/// One subcommand a benchmark; a new one is a file of its own and a name in this list.
@main
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures parts of agent-stream on this machine.",
    discussion: "Build with -c release: a debug build measures the compiler's checks.",
    subcommands: [
      EventStreamBenchmark.self, TransportBenchmark.self, ServerBenchmark.self, AckDelayBenchmark.self,
      DispatchBenchmark.self, ReplayBenchmark.self, NamesBenchmark.self, CrowdBenchmark.self, LedgerBenchmark.self,
      TransportPeer.self, LedgerReader.self, LedgerPeer.self, SessionCrowd.self, FirstTokenBenchmark.self,
    ])

  /// Stays on the main thread, which an asynchronous `main` would end: valgrind, which counts for `transport`, cannot
  /// follow that.
  static func main() {
    ParentWatch.begin()
    do {
      var command = try parseAsRoot()
      guard command is any AsyncParsableCommand else { return try command.run() }
      let done = DispatchSemaphore(value: 0)
      Task.detached {
        do {
          if var command = try parseAsRoot() as? any AsyncParsableCommand { try await command.run() }
        } catch {
          exit(withError: error)
        }
        done.signal()
      }
      done.wait()
    } catch {
      exit(withError: error)
    }
  }
}
