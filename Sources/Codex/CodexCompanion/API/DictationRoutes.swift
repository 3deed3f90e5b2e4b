import HTTPTypes
import Hummingbird
import ResolveKitCore

/// Dictated sound as text, by the program that the person at the workstation has named; without one nobody's.
struct DictationRoutes: Sendable {
  let services: CompanionServices

  private static let bodyLimit = Dictation.maximumAudio / 3 * 4 + (64 << 10)

  func transcribe(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    guard let transcriber = services.transcriber else {
      throw CompanionError(
        .notImplemented, "This companion transcribes nothing; 'companion serve --transcribe PROGRAM' names what does.")
    }
    guard let room = services.bodies.take() else { throw CompanionError.tooManyBodies }
    defer { room.leave() }
    let input = try await JSONInput.read(request, limit: Self.bodyLimit, within: MessageInput.bodyTime)
    do {
      let dictation = try Dictation(
        audioBase64: try input.requiredString("audioBase64", limit: Self.bodyLimit),
        mimeType: try input.requiredString("mimeType"), language: try input.string("language"))
      return .data(["text": .string(try await transcriber.transcribe(dictation)), "model": .string(transcriber.name)])
    } catch let error as TranscriptionError {
      throw CompanionError(error.status, error.message)
    }
  }
}

extension TranscriptionError {
  fileprivate var status: HTTPResponse.Status {
    switch code {
    case .invalid: .badRequest
    case .busy: .serviceUnavailable
    case .timedOut: .gatewayTimeout
    case .failed: .badGateway
    }
  }
}
