import ArgumentParser
import Foundation
import Hummingbird
import HummingbirdHTTP3
import StreamTransport
import ToolSupport

/// A Hummingbird router on our server: `/small` of 1 KiB, `/events/MS`, `/upload`, and a folder's files.
struct RouterPeer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "router")

  @Argument var chain: String
  @Argument var key: String
  @Argument var folder: String
  @Flag(help: "Run handlers on the thread that receives datagrams.") var onReceivingThread = false
  @Option(help: "Event loops that share the connections.") var loops = 1

  func run() async throws {
    IdlePeer.raiseDescriptorLimit()
    var configuration = MultiProtocolConfiguration(
      certificatePEM: try String(contentsOfFile: chain, encoding: .utf8),
      privateKeyPEM: try String(contentsOfFile: key, encoding: .utf8))
    // All clients come from one address here.
    configuration.http3Limits.maximumConnections = 20_000
    configuration.http3Limits.maximumConnectionsPerPrefix = 20_000
    configuration.http3Limits.maximumHeldBytes = 4 << 30
    configuration.http3Limits.maximumHeldBytesPerPrefix = 4 << 30
    configuration.http3.runsHandlersOnReceivingThread = onReceivingThread
    configuration.http3.loops = loops
    let server = MultiProtocolServer(
      responder: Self.router(serving: folder).buildResponder(), configuration: configuration,
      logger: TransportPeer.quietLogger)
    StandardOutput.write(String(try await server.start()))
    try await Task.sleep(for: .seconds(1 << 20))
  }

  private static func router(serving folder: String) -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: FileMiddleware(fileProvider: FolderFiles(folder, logger: TransportPeer.quietLogger)))
    let small = ByteBuffer(repeating: UInt8(ascii: "x"), count: 1_024)
    router.get("small") { _, _ in Response(status: .ok, body: .init(byteBuffer: small)) }
    router.post("upload") { request, _ in
      for try await _ in request.body {}
      return HTTPResponse.Status.ok
    }
    router.get("events/:ms") { _, context in
      let period = Duration.milliseconds(try context.parameters.require("ms", as: Int.self))
      return Response(status: .ok, body: .init { try await writeEvents(every: period, to: &$0) })
    }
    return router
  }

  /// Each one holds the time at which it is due.
  private static func writeEvents(every period: Duration, to writer: inout any ResponseBodyWriter) async throws {
    let clock = ContinuousClock()
    let (start, first) = (clock.now, TransportPeer.monotonic)
    let step = Int64(period / .nanoseconds(1))
    for index in 0... {
      try await clock.sleep(until: start + period * index)
      let head = "data: \(first + Int64(index) * step) "
      let event = head + String(repeating: "x", count: 198 - head.utf8.count) + "\n\n"
      try await writer.write(ByteBuffer(string: event))
    }
  }
}
