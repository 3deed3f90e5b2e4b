import HTTPTypes
import NIOCore

/// One request on a connection, from its first byte to the last of its response.
struct HTTP1Exchange {
  /// The part of the response that ``HTTP1ConnectionHandler`` still expects from the server.
  enum Phase {
    /// The promise goes with the phase: a kept promise would keep the body alive that its reader has left.
    case awaitingHead(EventLoopPromise<HTTP1Answer>)
    case receivingBody(BodyChannel)
  }

  /// Tells exchanges on the same connection apart.
  let number: Int
  let gate: ReadGate
  let pump: RequestPump
  /// Held as long as the exchange lasts.
  let slot: RequestSlot
  var phase: Phase
  /// The responses before the final one.
  var interimResponses: [HTTPResponse] = []
  var isRequestSent = false
  var keepsConnection = false
}

/// A response whose fields are there.
struct HTTP1Answer: Sendable {
  let head: HTTPResponse
  let body: ResponseBody
  let interimResponses: [HTTPResponse]
}

/// The connection ended before the response's head. Where it had been kept, the server may have closed it meanwhile.
struct StaleConnection: Error {
  let error: TransportError
  /// Whether it was found closed before anything was written, so that the server cannot have seen the request.
  var isUntouched = false
}
