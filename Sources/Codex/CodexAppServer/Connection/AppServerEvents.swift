/// Codex's messages in their order. One task reads them; a slow reader holds codex back, and nothing is lost.
///
/// It ends once the connection was closed from here, and throws an ``AppServerError`` when it ended otherwise.
package struct AppServerEvents: AsyncSequence {
  package typealias Element = AppServerEvent

  let inbox: AppServerInbox

  package func makeAsyncIterator() -> Iterator { Iterator(inbox: inbox) }

  package struct Iterator: AsyncIteratorProtocol {
    let inbox: AppServerInbox

    package mutating func next() async throws -> AppServerEvent? { try await inbox.next() }

    package mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> AppServerEvent? {
      try await inbox.next(isolation: actor)
    }
  }
}
