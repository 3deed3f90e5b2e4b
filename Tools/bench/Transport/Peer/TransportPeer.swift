import ArgumentParser
import Foundation
import HTTPTypes
import Logging
import StreamTransport

/// The parts of `bench transport` that run as processes of their own.
struct TransportPeer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transport-peer", abstract: "One side of a benchmark of clients and servers.", shouldDisplay: false,
    subcommands: [
      ServePeer.self, DownloadPeer.self, UploadPeer.self, EventsPeer.self, IdlePeer.self, EnginePeer.self,
      CrowdServer.self, GoodCrowd.self, HostileCrowd.self, RouterPeer.self, LoadPeer.self,
    ])

  /// A client's transport, as an application would make it.
  static func transport(_ url: String, _ authority: String) throws -> (HTTP3Transport, String) {
    guard let parts = URLComponents(string: url), let host = parts.host, let port = parts.port else {
      throw ValidationError("\(url) is no URL with a port.")
    }
    let transport = HTTP3Transport(
      origin: Origin(scheme: .https, host: host, port: port), tls: TLSOptions(trust: .certificateFile(authority)),
      logger: quietLogger)
    return (transport, parts.path)
  }

  /// The place where the body of a response is read: on the thread that receives, or wherever Swift's tasks run.
  struct Place: ParsableArguments {
    @Flag(help: "Read on the thread that receives.") var here = false

    func read(_ transport: HTTP3Transport, _ body: () async throws -> Void) async throws {
      if here { try await transport.onReceivingThread(body) } else { try await body() }
    }
  }

  static var quietLogger: Logger {
    var logger = Logger(label: "bench")
    logger.logLevel = .critical
    return logger
  }

  static func get(_ path: String) -> HTTPRequest {
    HTTPRequest(method: .get, scheme: nil, authority: nil, path: path)
  }

  /// The monotonic time in nanoseconds, the same clock as Python's `time.monotonic_ns`.
  static var monotonic: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
