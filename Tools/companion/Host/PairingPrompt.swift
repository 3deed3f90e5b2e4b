import CodexCompanion
import ResolveKitCore

/// Asks the person at the terminal about a device that wants to be paired, and sends the answer to the companion.
struct PairingPrompt {
  private let host: Host

  init(_ host: Host) { self.host = host }

  func ask(_ question: ControlPairingQuestion) async throws {
    print(Self.text(question))
    try await decide(question, allow: ConsolePrompt.asksYes("Allow it to control Codex on this machine?"))
  }

  func decide(_ question: ControlPairingQuestion, allow: Bool) async throws {
    _ = try await host.ask(.confirm(pairingID: question.pairingID, allow: allow))
    print(allow ? "The device is paired." : "The device is denied.")
  }

  static func text(_ question: ControlPairingQuestion) -> String {
    let origin =
      question.isOpenedHere
      ? "It has the code that was shown on this machine."
      : "It asked by itself: nobody showed it a code here. Deny it unless you expect it."
    // Lines of their own: a name that continues like this text would be taken for a part of it.
    return """
      A device asks to be paired.
        Its own name: \(question.deviceName.visible)
        Its address:  \(question.address.visible)
      \(origin)
      """
  }
}
