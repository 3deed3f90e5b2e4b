import ArgumentParser
import CodexCompanion
import Foundation

struct PairCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pair",
    abstract: "Shows the code for a new device, and asks for a yes once the device has read it.",
    discussion:
      "A device that sees the code within three minutes may ask to be paired; nothing is allowed without your yes.")

  /// The form in which the code is shown.
  enum Code: String, ExpressibleByArgument, CaseIterable {
    case coloured
    case dark
    case light
    case none

    var style: QRCode.TerminalStyle? {
      switch self {
      case .coloured: .coloured
      case .dark: .plainOnDark
      case .light: .plainOnLight
      case .none: nil
      }
    }
  }

  @OptionGroup var state: StateOptions

  @Flag(help: "Make a code for clients of the public protocol, which cannot pin a certificate.")
  var publicClient = false

  @Flag(help: "Make a code for a browser: the address of the companion's page.")
  var browser = false

  @Option(
    help:
      "How the QR code is shown: coloured, or without colours on a dark or a light ground; none for its text alone. By default coloured on a terminal, else none."
  )
  var code: Code?

  func validate() throws {
    guard !(publicClient && browser) else { throw ValidationError("A code is for --public-client or for --browser.") }
  }

  private var client: PairingClient { browser ? .browser : publicClient ? .publicProtocol : .own }

  func run() async throws {
    let host = Host(state.folder)
    guard case .pairing(let pairing) = try await host.ask(.pair(client)) else {
      throw Host.strangeReply
    }
    let isTerminal = ConsolePrompt.isInteractive
    for line in Self.lines(pairing, (code ?? (isTerminal ? .coloured : .none)).style) { print(line) }
    guard isTerminal else { return }
    try await wait(for: pairing, host)
  }

  static func lines(_ pairing: ControlPairing, _ style: QRCode.TerminalStyle?) -> [String] {
    (style.map { [pairing.code.terminalText($0)] } ?? [])
      + [pairing.uri, "Valid until \(RecordTime(pairing.expiresAt)); 'companion confirm' answers as well."]
  }

  private func wait(for pairing: ControlPairing, _ host: Host) async throws {
    while TimeOfDay.now() < pairing.expiresAt {
      guard case .pairings(let questions) = try await host.ask(.pairings) else { throw Host.strangeReply }
      if let question = questions.first(where: { $0.pairingID == pairing.pairingID }) {
        return try await PairingPrompt(host).ask(question)
      }
      try await Task.sleep(for: .seconds(1))
    }
    print("The code is no longer valid; nobody used it, or its device gave up.")
  }
}
