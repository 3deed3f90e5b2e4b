import ArgumentParser
import CodexCompanion
import CodexWorkersClient
import Foundation
import Logging
import ResolveKitCore
import StreamTransport

/// The runtime that the companion is a worker of.
struct MirrorOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Mirror chats to this runtime of Codex workers, and take its requests; 'companion mirror on' says which.",
      valueName: "url"))
  var mirror: String?

  @Option(help: ArgumentHelp("The worker's id at the runtime: letters, digits and . _ : -", valueName: "name"))
  var worker: String?

  @Option(
    help: ArgumentHelp(
      "A file of yours alone with the runtime's token. Default: the sign-in of 'remote workers login'.",
      valueName: "file"))
  var mirrorTokenFile: String?

  @Option(
    help: ArgumentHelp("The e-mail address that the token of --mirror-token-file belongs to.", valueName: "address"))
  var mirrorAccount: String?

  @Option(
    help: ArgumentHelp("Trust the authorities in this PEM file for the runtime, and no others.", valueName: "file"))
  var mirrorCaFile: String?

  func validate() throws {
    guard (mirror == nil) == (worker == nil) else { throw ValidationError("--mirror and --worker go together.") }
    guard mirror != nil || (mirrorTokenFile == nil && mirrorAccount == nil && mirrorCaFile == nil) else {
      throw ValidationError("--mirror-token-file, --mirror-account and --mirror-ca-file need --mirror.")
    }
    guard (mirrorTokenFile == nil) == (mirrorAccount == nil) else {
      throw ValidationError("--mirror-token-file and --mirror-account go together.")
    }
    guard let worker else { return }
    guard (3...160).contains(worker.utf8.count), worker.utf8.allSatisfy(Self.isAllowed) else {
      throw ValidationError("--worker has 3 to 160 letters, digits and . _ : -")
    }
  }

  /// Nil where nothing is to be mirrored. Throws a usage error.
  func configuration(_ folder: CompanionFolder, _ logger: Logger) throws -> MirrorConfiguration? {
    guard let mirror, let worker else { return nil }
    guard let place = WorkersServer(mirror) else {
      throw ValidationError("--mirror is an https URL; '\(mirror.visible)' is not.")
    }
    let server = place.name
    let signIns = WorkersCredentialFile(folder: StateFolder(environment: ProcessInfo.processInfo.environment).path)
    guard let account = try mirrorAccount ?? signIns.credential(for: server)?.email else {
      throw ValidationError(
        "There is no sign-in at \(server): run 'remote workers login \(server)', or give a token file.")
    }
    if let mirrorTokenFile { _ = try Self.token(mirrorTokenFile) }
    let transport: any HTTPTransport
    do {
      transport = try place.transport(caFile: mirrorCaFile, files: folder.path + "/mirror", logger: logger)
    } catch {
      throw ValidationError(error.message)
    }
    let client = WorkersClient(baseURL: place.url, transport: transport, logger: logger) { [mirrorTokenFile] in
      // Read again each time: a sign-in that has ended is renewed by another program.
      if let mirrorTokenFile { return try? Self.token(mirrorTokenFile) }
      return (try? signIns.credential(for: server))?.token
    }
    return MirrorConfiguration(client: client, server: server, worker: worker, account: account)
  }

  private static func token(_ path: String) throws -> String {
    let text = String(decoding: try PrivateFile.read(path, limit: 16 << 10), as: UTF8.self)
    let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw ValidationError("'\(path)' holds no token.")
    }
    return token
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
