import ArgumentParser
import EventStream
import Processes
import StreamTransport
import ToolSupport

/// Our client on a stream of sparse events, parsed as an application has them.
struct EventsPeer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "events")

  @Argument var url: String
  @Argument var authority: String
  @OptionGroup var place: TransportPeer.Place

  func run() async throws {
    let (transport, path) = try TransportPeer.transport(url, authority)
    var delays: [Int64] = []
    var first: ResourceUsage?
    try await place.read(transport) {
      let response = try await transport.send(TransportPeer.get(path))
      var parser = EventStreamParser()
      for try await chunk in response.body {
        let now = TransportPeer.monotonic
        if first == nil { first = .own }
        try chunk.withUnsafeBytes { bytes in
          try parser.parse(bytes) { item in
            guard case .event(let event) = item else { return }
            // By its bytes: the benchmark's own reckoning should not be what is measured.
            let sent = event.data.utf8.prefix { $0 != UInt8(ascii: " ") }.reduce(0) { $0 &* 10 &+ Int64($1 & 15) }
            delays.append(now - sent)
          }
        }
      }
    }
    let used = ResourceUsage.own - (first ?? .own)
    // An encoder would take 5 000 instructions for each event, and they are counted.
    let list = delays.map(String.init).joined(separator: ",")
    StandardOutput.write("{\"delays_ns\":[\(list)],\"cpu_s\":\(used.processor),\"switches\":\(used.switches)}")
    await transport.close()
  }
}
