import ArgumentParser

/// One subcommand a benchmark; a new one is a file of its own and a name in this list.
@main
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures parts of agent-stream on this machine.",
    discussion: "Build with -c release: a debug build measures the compiler's checks.",
    subcommands: [EventStreamBenchmark.self])
}
