import ArgumentParser
import Foundation

/// The options of 'serve', which 'doctor' examines and 'unit' writes down.
struct ServeOptions: ParsableArguments {
  @Option(help: "IP address to listen on: this machine's own, such as its Tailscale address.")
  var address = "127.0.0.1"

  @Option(help: "TCP and UDP port; 0 takes a free one.")
  var port = 8_787

  @Option(
    help: ArgumentHelp(
      "A name that devices reach this machine by; the first is in the pairing code. May be repeated.", valueName: "name"
    ))
  var host: [String] = []

  @Option(
    help: ArgumentHelp(
      "Certificate chain, PEM, read anew when it changes and on SIGHUP. Without it a development certificate is made, which "
        + "the pairing code pins."))
  var certificate: String?

  @Option(help: "Private key of --certificate, PEM.")
  var privateKey: String?

  @Option(help: ArgumentHelp("The codex program. Default: codex on the PATH.", valueName: "path"))
  var codex: String?

  @Flag(help: "Talk to codex by its standard streams: it ends with the companion, and its turns with it.")
  var stdio = false

  @Option(help: ArgumentHelp("A folder in which chats may be begun; may be repeated.", valueName: "dir"))
  var project: [String] = []

  @Option(
    help: ArgumentHelp("Notify this address by a POST, in the form of ntfy, that a question waits.", valueName: "url"))
  var notify: String?

  @Option(
    help: ArgumentHelp(
      "A program that prints the text of dictated sound, whose path is its argument. Without one nothing is transcribed.",
      valueName: "program"))
  var transcribe: String?

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port is a number from 0 to 65535.") }
    guard (certificate == nil) == (privateKey == nil) else {
      throw ValidationError("--certificate and --private-key go together.")
    }
    if let transcribe, !FileManager.default.isExecutableFile(atPath: transcribe) {
      throw ValidationError("--transcribe is a program that can be run; '\(transcribe)' is none.")
    }
  }

  /// The options as they are written, with full paths: they hold in any folder.
  var words: [String] {
    var words = ["--address", address, "--port", String(port)]
    for name in host { words += ["--host", name] }
    if let certificate { words += ["--certificate", Self.fullPath(certificate)] }
    if let privateKey { words += ["--private-key", Self.fullPath(privateKey)] }
    if let codex { words += ["--codex", codex.contains("/") ? Self.fullPath(codex) : codex] }
    if stdio { words.append("--stdio") }
    for folder in project { words += ["--project", Self.fullPath(folder)] }
    if let notify { words += ["--notify", notify] }
    if let transcribe { words += ["--transcribe", Self.fullPath(transcribe)] }
    return words
  }

  /// A path from the root on, without a slash at its end.
  static func fullPath(_ path: String) -> String {
    let full = URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
    return full.count > 1 && full.hasSuffix("/") ? String(full.dropLast()) : full
  }
}
