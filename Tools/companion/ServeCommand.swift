import ArgumentParser
import CodexAppServer
import CodexCompanion
import Foundation
import ServerProgram
import StreamTransport

/// Serves until SIGTERM or SIGINT. codex runs on, and is joined by the next companion.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Starts codex, or joins it, and serves paired devices until SIGTERM.",
    discussion: "Listens on one TCP and UDP port with TLS alone. No device is admitted before 'companion pair'.")

  @OptionGroup var state: StateOptions
  @OptionGroup(title: "Mirroring") var mirroring: MirrorOptions

  @OptionGroup var options: ServeOptions

  @OptionGroup var qlog: QlogOptions

  @OptionGroup var log: LogOptions

  func validate() throws { _ = try notification() }

  func run() async throws {
    let logger = log.logger("companion")
    let supervision = try Supervision.take(logger)
    let environment = ProcessInfo.processInfo.environment
    let folder = state.folder
    try folder.make()
    let address = supervision.address(instead: options.address)
    let credentials = try Credentials.choose(
      certificate: options.certificate, privateKey: options.privateKey, address: address, hosts: options.host,
      folder: folder.path, logger: logger)
    let codexHome = environment["CODEX_HOME"] ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.codex"
    var configuration = CompanionConfiguration(
      address: address, port: options.port, certificatePEM: credentials.certificatePEM,
      privateKeyPEM: credentials.privateKeyPEM, fingerprint: credentials.fingerprint,
      hosts: credentials.hosts, folder: folder,
      codex: AppServerProcessConfiguration(
        program: try CodexProgram(options.codex ?? "codex", environment: environment), environment: environment,
        folder: try SocketFolder(folder.codex), mode: options.stdio ? .stdio : .socket,
        client: AppServerClient(name: "agent-stream-companion", title: "agent-stream companion", version: "0.1.0")),
      codexHome: codexHome, projects: try options.project.map(Self.folder))
    if let (origin, path) = try notification() {
      configuration.notify = origin
      configuration.notifyPath = path
    }
    configuration.mirror = try mirroring.configuration(folder, logger)
    configuration.qlogDirectory = qlog.qlog
    configuration.qlogSampling = qlog.sampling
    configuration.sockets = supervision.sockets
    configuration.transcribe = options.transcribe.map(ServeOptions.fullPath)
    let isTerminal = ConsolePrompt.isInteractive
    let companion = Companion(configuration, logger: logger) { sentence in
      // The bell, on a terminal alone.
      FileHandle.standardError.write(Data((isTerminal ? "\u{7}\(sentence)\n" : "\(sentence)\n").utf8))
    }
    let service = AnnouncedServer(
      lines: credentials.lines,
      start: {
        AnnouncedServer.line(address: address, port: try await companion.start())
          + "; 'companion pair' lets a device in"
      },
      renewal: CertificateRenewal(credentials.files) { identities, _ in try companion.use(identities) },
      supervision: supervision,
      shutdown: { await companion.shutdown() })
    try await service.serve(logger: logger)
  }

  private func notification() throws -> (Origin, String)? {
    guard let notify = options.notify else { return nil }
    guard let url = URL(string: notify), let origin = try? Origin(url) else {
      throw ValidationError("--notify is an http or https URL; '\(notify)' is not.")
    }
    return (origin, url.path(percentEncoded: true).isEmpty ? "/" : url.path(percentEncoded: true))
  }

  private static func folder(_ path: String) throws -> String {
    var isFolder: ObjCBool = false
    let full = ServeOptions.fullPath(path)
    guard FileManager.default.fileExists(atPath: full, isDirectory: &isFolder), isFolder.boolValue else {
      throw ValidationError("--project is a folder; there is none at '\(path)'.")
    }
    return full
  }
}
