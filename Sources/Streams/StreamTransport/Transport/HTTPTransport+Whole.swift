package import HTTPTypes

extension HTTPTransport {
  /// The bytes of an error's body that are read; what is beyond is cut off.
  private static var errorBodyLimit: Int { 64 << 10 }

  /// Sends a request and reads its whole answer; nil where that took longer than `limit`, and the connection is left then:
  /// the next request must not wait on the same dead one.
  ///
  /// - Parameter answerLimit: the most bytes of an answer from 200 to 299; more are a `limitExceeded`. Of any other answer
  ///   the readable part is given: the status alone is worth reporting too.
  package func whole(
    _ request: HTTPRequest, body: RequestBody, within limit: Duration, answerLimit: Int, clock: TransportClock
  ) async throws -> (head: HTTPResponse, bytes: [UInt8])? {
    let answer = try await clock.withLimit(limit) {
      let response = try await send(request, body: body)
      let head = response.head
      guard (200...299).contains(head.status.code) else {
        return (head: head, bytes: await Self.errorBody(response.body))
      }
      return (head: head, bytes: try await response.body.collect(upTo: answerLimit))
    }
    if answer == nil { await retireConnection() }
    return answer
  }

  private static func errorBody(_ body: ResponseBody) async -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      for try await chunk in body {
        bytes += chunk
        if bytes.count > errorBodyLimit { break }
      }
    } catch {
      // The status has arrived; a torn body takes nothing from it.
    }
    body.cancel()
    return Array(bytes.prefix(errorBodyLimit))
  }
}
