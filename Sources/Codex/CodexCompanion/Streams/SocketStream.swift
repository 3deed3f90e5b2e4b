import EventLedger
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdHTTP3
import NIOCore
import ResolveKitCore

/// A chat's event stream as a WebSocket, for clients of the public protocol: the same frames, without ids.
struct SocketStream: Sendable {
  let services: CompanionServices

  /// Answers an upgrade: what is wrong has a status, where the original closed the connection.
  func answer(_ request: WebSocketRequest) async -> WebSocketAnswer {
    do {
      return try await accept(request)
    } catch {
      return .refuse(CompanionError(for: error, of: request.head.path ?? "", services.logger).response)
    }
  }

  private func accept(_ request: WebSocketRequest) async throws -> WebSocketAnswer {
    try services.access.check(request.head)
    guard let uri = URLComponents(string: request.head.path ?? "/"), uri.path == "/v1/stream" else {
      throw CompanionError.notFound
    }
    let query = { (name: String) in uri.queryItems?.first { $0.name == name }?.value }
    let gate = RequestGate(access: services.access, devices: services.devices, place: services.place)
    let admission = try gate.admission(authorization: request.head.headerFields[.authorization])
    let stream = try await StreamRoutes(services: services).open(
      chatID: query("chatId"), cursor: query("cursor"), admission)
    return .accept(subprotocol: nil) { inbound, outbound in
      try await serve(stream, inbound, outbound)
    }
  }

  private func serve(_ stream: ChatStream, _ inbound: WebSocketInbound, _ outbound: WebSocketOutbound) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await stream.run { part in
          switch part {
          case .beginning(let drafts): for draft in drafts { try await outbound.write(Self.text(draft.payload)) }
          case .events(let events): for event in events { try await outbound.write(Self.text(event.payload)) }
          // The protocol's own pings show that it lives.
          case .beat: break
          }
        }
        outbound.close(.normal)
      }
      // Clients have nothing to say; what they say is passed over, and their leaving is noticed.
      for try await _ in inbound {}
      group.cancelAll()
    }
  }

  private static func text(_ payload: [UInt8]) -> String { String(decoding: payload, as: UTF8.self) }
}
