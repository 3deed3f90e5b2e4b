import ArgumentParser
import Foundation
import Logging
import ReferenceBackend
import StreamTransport

/// The time from the model adapter's call to the model's first text, over one transport.
struct FirstTokenBenchmark: AsyncParsableCommand {
  /// The transport that the adapter uses.
  enum Way: String, ExpressibleByArgument, CaseIterable {
    case h3
    case h1
  }

  static let configuration = CommandConfiguration(
    commandName: "first-token",
    abstract: "Measures the model adapter's time to the first token of an OpenAI-compatible endpoint.",
    discussion: """
      Each round asks three times: over a new connection to an endpoint of which nothing is known (cold), over the same \
      connection (warm), and over a new connection with what is known of the endpoint by then (resumed). Prints one JSON \
      object a round, in milliseconds. A first round is not counted. Tools/model-latency runs it over emulated links.
      """)

  struct Measured: Codable {
    var way: String
    var cold: Double
    var warm: Double
    var resumed: Double
  }

  @Option(help: "The endpoint's base URL, such as https://198.18.1.100:8443/v1.")
  var url: String

  @Option(help: "PEM file of the authorities to trust.")
  var caFile: String

  @Option(help: "h3 or h1.")
  var transport: Way

  @Option(help: "Rounds that are counted.")
  var rounds = 1

  func validate() throws {
    guard (1...10_000).contains(rounds) else {
      throw ValidationError("--rounds is \(rounds); 1 to 10000 are possible.")
    }
  }

  func run() async throws {
    guard let address = URL(string: url) else { throw ValidationError("--url '\(url)' is no address.") }
    let origin = try Origin(address)
    for round in 0...rounds {
      let memory = ResumptionStore()
      let first = try await milliseconds(2, over: make(to: origin, memory))
      let second = try await milliseconds(1, over: make(to: origin, memory))
      guard round > 0 else { continue }
      try ChildProcess.report(Measured(way: transport.rawValue, cold: first[0], warm: first[1], resumed: second[0]))
    }
  }

  private func make(to origin: Origin, _ memory: ResumptionStore) -> any HTTPTransport {
    let tls = TLSOptions(trust: .certificateFile(caFile))
    return switch transport {
    case .h3: HTTP3Transport(origin: origin, tls: tls, logger: TransportPeer.quietLogger, resumption: memory)
    case .h1: HTTP1Transport(origin: origin, tls: tls, logger: TransportPeer.quietLogger)
    }
  }

  /// Asks so many times, one after the other.
  private func milliseconds(_ count: Int, over transport: any HTTPTransport) async throws -> [Double] {
    let model = try OpenAIModel(baseURL: url, model: "scripted", key: nil, transport: transport)
    var results: [Double] = []
    for _ in 0..<count {
      let clock = ContinuousClock()
      let start = clock.now
      let first = FirstMoment()
      try await model.reply(to: ModelConversation(messages: [.user("Hello")], tools: [])) { output in
        if case .text = output { first.set(clock.now) }
      }
      guard let moment = first.moment else { throw ValidationError("The endpoint at \(url) answered without a text.") }
      results.append(start.duration(to: moment) / .milliseconds(1))
    }
    await model.shutdown()
    return results
  }
}
