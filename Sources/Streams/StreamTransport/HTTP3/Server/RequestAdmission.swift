import HTTP3Engine
import HTTPTypes

/// The decision on a request whose header section is complete. Pure.
struct RequestAdmission {
  enum Decision: Equatable {
    case serve(HTTPRequest)
    case answer(HTTPRequest, status: Int)
    case giveUp(ApplicationErrorCode)
  }

  /// Nil where requests name a path alone.
  private let targets: TargetRules?
  private let handlersPerConnection: Int

  /// - Parameter maximumRequests: those of one connection that may be open at once; twice as many handlers may run.
  init(targets: TargetRules?, maximumRequests: Int) {
    self.targets = targets
    handlersPerConnection = min(max(maximumRequests, 1), 1 << 16) * 2
  }

  /// - Parameters:
  ///   - isEarly: whether it came as early data.
  ///   - handlers: handlers that run for its connection.
  func decision(on fields: [HeaderField], isEarly: Bool, handlers: Int) -> Decision {
    guard let request = FieldMapping.request(from: fields) else { return .giveUp(.messageError) }
    if let status = targets?.refusal(of: request) { return .answer(request, status: status.code) }
    // Early data may be a replay: what it asks for may be done any number of times (RFC 8470 § 5.2).
    guard !isEarly || RequestRules.isSafe(request.method) else { return .answer(request, status: 425) }
    // A stream that is reset leaves its place at once, its handler when it notices: without a limit of their own,
    // requests that are reset as fast as they are sent would pile handlers up (CVE-2023-44487).
    guard handlers < handlersPerConnection else { return .giveUp(.excessiveLoad) }
    return .serve(request)
  }
}
