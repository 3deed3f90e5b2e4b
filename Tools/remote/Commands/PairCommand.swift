import ArgumentParser
import CodexRemoteClient
import Foundation
import ResolveKitCore
import StreamTransport
import TerminalIO

/// Pairs this device by a code.
struct PairCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pair", abstract: "Pairs this device with a companion.",
    discussion:
      "The code is that of 'companion pair', as an argument or on standard input. A person there says yes or no.")

  @OptionGroup var storage: StoreOptions

  @Option(help: "The name that the person at the workstation sees.")
  var name = ProcessInfo.processInfo.hostName

  @Flag(help: "Accept a code for plain http, of a companion on this machine.")
  var allowPlaintext = false

  @Argument(help: "The code: codexremote://pair?… Without one it is read from standard input.")
  var code: String?

  func run() async throws {
    let pairing = try RemotePairing(code: try code ?? Self.read(), allowsPlaintext: allowPlaintext)
    let logger = storage.logger()
    TerminalOutput.status("Asking \(TerminalText.line(pairing.origin.authority)); say yes there.\n").write()
    if !pairing.isPinned {
      TerminalOutput.status("The code pins no certificate, so an authority has to vouch for the companion's.\n").write()
    }
    let host = try await pairing.pair(deviceName: name, transport: storage.transport.transport, logger: logger)
    try await storage.store.keep(host)
    if storage.json {
      Printing.json(["kind": "host", "host": .string(host.name), "device_id": .string(host.deviceID)])
    } else {
      Printing.line("Paired with \(host.name). 'remote chats' lists what is there, 'remote new' begins a chat.")
    }
  }

  /// A pipe to its end, or what a person pastes, up to the line with the code.
  private static func read() throws -> String {
    if isatty(STDIN_FILENO) == 1 { TerminalOutput.status("Paste the code: ").write() }
    var text = ""
    while text.utf8.count < 64 << 10, let line = readLine(strippingNewline: false) {
      text += line
      if line.contains("codexremote://") { break }
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw ValidationError("There is no code; give that of 'companion pair'.")
    }
    return text
  }
}
