import Foundation
import Logging
import StreamTransport

/// The endpoint's start: one case as the public QUIC interoperability runner orders it, by environment.
@main enum InteropEndpoint {
  static let failed: Int32 = 1
  static let unsupported: Int32 = 127

  static func main() async {
    LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
    let environment = ProcessInfo.processInfo.environment
    switch CommandLine.arguments.dropFirst() {
    case []: exit(await run(environment: environment))
    case ["--supports"]: exit(supports(environment: environment))
    default: exit(complain("There is no argument but --supports; the environment says all.", failed))
    }
  }

  /// Whether the case is known, without looking at anything else; as an exit code.
  static func supports(environment: [String: String]) -> Int32 {
    if environment["TESTCASE"].flatMap(EndpointCase.init) != nil || isStreaming(environment) { return 0 }
    return complain("TESTCASE '\(environment["TESTCASE"] ?? "")' is not supported.", unsupported)
  }

  /// Event streams are followed by the client alone: they are served by what stands before an origin, or by the lab's
  /// own server.
  private static func isStreaming(_ environment: [String: String]) -> Bool {
    environment["ROLE"] == "client" && environment["TESTCASE"].map(StreamingEndpoint.knows) ?? false
  }

  /// Answers the exit code; as a server only when it cannot start.
  static func run(environment: [String: String]) async -> Int32 {
    guard supports(environment: environment) == 0 else { return unsupported }
    if isStreaming(environment) { return await StreamingEndpoint.run(environment) }
    do {
      let contract = try EndpointContract(environment: environment)
      var logger = Logger(label: "interop-endpoint")
      logger.logLevel = environment["LOG_LEVEL"].flatMap { Logger.Level(rawValue: $0) } ?? .warning
      switch contract.role {
      case .client: try await EndpointClient(contract: contract, logger: logger).run()
      case .server: try await serve(EndpointServer(contract: contract, logger: logger))
      }
      return 0
    } catch EndpointContract.Refusal.unsupported {
      return unsupported
    } catch EndpointContract.Refusal.invalid(let sentence) {
      return complain(sentence, failed)
    } catch {
      return complain("\(error)", failed)
    }
  }

  /// Serves until SIGTERM or SIGINT.
  private static func serve(_ endpoint: EndpointServer) async throws {
    let (server, port) = try await endpoint.start()
    FileHandle.standardOutput.write(Data("listening on UDP port \(port)\n".utf8))
    await EndSignal.first()
    await server.close()
  }

  private static func complain(_ sentence: String, _ code: Int32) -> Int32 {
    FileHandle.standardError.write(Data("interop-endpoint: \(sentence)\n".utf8))
    return code
  }
}
