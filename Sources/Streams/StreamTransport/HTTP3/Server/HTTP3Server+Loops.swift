extension HTTP3Server {
  /// Returns once each event loop of this process has come to a turn; at once where there are none.
  package static func loopsTakeTurns() async {
    guard let group = try? EventLoopGroup.shared.get() else { return }
    await group.takeTurns()
  }
}
