import ArgumentParser
import Foundation
import HTTP3Engine
import LabPeers
import StreamTransport
import ToolSupport

/// Clients that hold on to what a server gives them, and come again when they are thrown out.
struct HostileCrowd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "crowd-attackers")

  enum Role: CaseIterable {
    /// Header sections that never become complete.
    case halfRequests
    /// Bodies of a byte every five seconds.
    case slowBodies
    /// Responses without end, and no credit for them.
    case unreadResponses
    /// Connections that come and go.
    case comings
    /// Handshakes that never become complete.
    case openHandshakes
  }

  /// Requests of one connection.
  private static let requests = 20
  private static let step = Duration.seconds(5)

  @Argument var port: Int
  @Argument var authority: String
  @Argument var count: Int
  @Argument var addresses: Int
  @Argument var ramp: Double

  func run() async throws {
    IdlePeer.raiseDescriptorLimit()
    let verifier = try CertificateVerifier(
      .authorities(pem: Array(try Data(contentsOf: URL(fileURLWithPath: authority)))))
    let loop = try EventLoop(name: "attackers")
    await withTaskGroup { group in
      for index in 0..<count {
        group.addTask { await attack(as: index, verifier, on: loop) }
        try? await Task.sleep(for: .seconds(ramp / Double(count)))
      }
      StandardOutput.write("all are here")
    }
  }

  /// Comes again and again, until the process is ended.
  private func attack(as index: Int, _ verifier: CertificateVerifier, on loop: EventLoop) async {
    let role = Role.allCases[index / addresses % Role.allCases.count]
    let source = NetworkAddress.IP.v4(0x7f00_0101 + UInt32(index % addresses))
    var manner = EngineClient.Manner()
    manner.consumes = role != .unreadResponses
    manner.leavesHandshakeOpen = role == .openHandshakes
    while !Task.isCancelled {
      let client = try? await EngineClient.connect(
        to: port, from: source, trusting: verifier, on: loop, manner: manner
      ) { connection in
        connection.isRaw = role == .halfRequests
        connection.keepAlive = Self.step
        if role == .unreadResponses { connection.streamWindow = 4 << 10 }
      }
      if let client {
        await play(role, with: client)
        await client.vanish()
      }
      try? await Task.sleep(for: Self.step)
    }
  }

  private func play(_ role: Role, with client: EngineClient) async {
    try? await Task.sleep(for: .seconds(2))
    guard await client.isEstablished else { return }
    var bodies: [StreamID] = []
    for _ in 0..<Self.requests {
      switch role {
      case .halfRequests: _ = await client.beginRequest()
      case .slowBodies: if let id = try? await client.send("/", method: "POST", endStream: false) { bodies.append(id) }
      case .unreadResponses: _ = try? await client.send("/endless")
      case .comings, .openHandshakes: return
      }
    }
    while await client.closed == nil, !Task.isCancelled {
      try? await Task.sleep(for: Self.step)
      let ids = bodies
      await client.perform { connection in
        for id in ids { try? connection.sendBody([0], on: id, endStream: false) }
      }
    }
  }
}
