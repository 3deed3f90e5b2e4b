import ResolveKitSession

extension ResolveKitRuntime {
  /// Takes up the last message again if its turn ended without an answer; returns false where there is none.
  ///
  /// Where it is not known whether the message has arrived, the conversation on the server is asked first: the message is
  /// sent only if it is not there, and what is there is shown, its answer or its turn that still runs. While a turn is in
  /// progress nothing is sent.
  @discardableResult
  public func retryMessage() async -> Bool {
    await driver?.retry() ?? false
  }
}
