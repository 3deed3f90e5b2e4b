/// Something that answers a conversation piece by piece: a language model, or what stands in for one.
public protocol ModelAdapter: Sendable {
  /// The name in logs.
  var name: String { get }

  /// Produces the next part of the assistant's turn and gives each piece to `output` as it comes.
  ///
  /// Returns when the part is whole: if it named tool calls, the caller runs them and asks again with their results.
  /// `output` throws when the turn is over; the error must be passed on. Throws ``ModelError`` for failures of its own.
  func reply(
    to conversation: ModelConversation, output: @Sendable (ModelOutput) async throws -> Void
  ) async throws

  /// Frees what the adapter holds; it is not used afterwards.
  func shutdown() async
}

extension ModelAdapter {
  /// Does nothing.
  public func shutdown() async {}
}
