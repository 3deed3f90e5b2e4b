/// Does what the commands on the control socket say.
package protocol ControlResponder: Sendable {
  /// May be called several times at once. Cancelled where the time for the answer is over.
  func answer(_ command: ControlCommand) async -> ControlReply
}
