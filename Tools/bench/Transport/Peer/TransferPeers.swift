import ArgumentParser
import Foundation
import HTTPTypes
import Processes
import StreamTransport

/// Our client, one large response.
struct DownloadPeer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "download")

  @Argument var url: String
  @Argument var authority: String
  @OptionGroup var place: TransportPeer.Place

  func run() async throws {
    let (transport, path) = try TransportPeer.transport(url, authority)
    try await TransferMeasurement.print {
      try await place.read(transport) {
        let response = try await transport.send(TransportPeer.get(path))
        guard response.head.status == .ok else { throw ValidationError("The server answered \(response.head.status).") }
        var count = 0
        for try await chunk in response.body { count += chunk.count }
        guard count > 0 else { throw ValidationError("The body is empty.") }
      }
    }
    await transport.close()
  }
}

/// Our client, one large request.
struct UploadPeer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "upload")

  @Argument var url: String
  @Argument var authority: String
  @Argument var size: Int
  @OptionGroup var place: TransportPeer.Place

  func run() async throws {
    let (transport, path) = try TransportPeer.transport(url, authority)
    try await TransferMeasurement.print {
      try await place.read(transport) {
        let request = HTTPRequest(method: .post, scheme: nil, authority: nil, path: path)
        let response = try await transport.send(request, body: .stream(Zeros(left: size)))
        for try await _ in response.body {}
      }
    }
    await transport.close()
  }
}

/// Zeros in chunks of 64 KiB, which cost nothing to make.
private struct Zeros: AsyncSequence, AsyncIteratorProtocol, Sendable {
  var left: Int
  private let chunk = [UInt8](repeating: 0, count: 64 << 10)

  init(left: Int) { self.left = left }

  func makeAsyncIterator() -> Zeros { self }

  mutating func next() async throws -> [UInt8]? {
    guard left > 0 else { return nil }
    defer { left = Swift.max(0, left - chunk.count) }
    return left >= chunk.count ? chunk : Array(chunk.prefix(left))
  }
}

/// A client's output about a transfer.
struct TransferMeasurement: Encodable {
  var wallS: Double
  var cpuS: Double
  var switches: Double

  static func print(of transfer: () async throws -> Void) async throws {
    let clock = ContinuousClock()
    let before = ResourceUsage.own
    let start = clock.now
    try await transfer()
    let wall = (clock.now - start) / .seconds(1)
    let used = ResourceUsage.own - before
    try ChildProcess.report(TransferMeasurement(wallS: wall, cpuS: used.processor, switches: used.switches))
  }
}
