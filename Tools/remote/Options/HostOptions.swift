import ArgumentParser
import CodexRemoteClient
import Foundation
import Logging
import StreamTransport
import TerminalIO

/// The transports that `--transport` allows.
enum RemoteTransportChoice: String, CaseIterable, ExpressibleByArgument {
  /// HTTP/3 first, HTTP/1.1 where UDP does not pass.
  case auto
  case h3
  case h1

  var transport: RemoteTransport {
    switch self {
    case .auto: .automatic
    case .h3: .http3
    case .h1: .http1
    }
  }
}

/// The paired hosts' folder, and the way to reach them.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The state folder, by default remote in $XDG_STATE_HOME/agent-stream or ~/.local/state/agent-stream.",
      valueName: "path"))
  var stateFolder: String?

  @Option(help: "auto: HTTP/3, and HTTP/1.1 where UDP does not pass; h3 or h1: that one only.")
  var transport = RemoteTransportChoice.auto

  @Flag(help: "Print JSON, one object a line.")
  var json = false

  @Option(
    help: "trace, debug, info, notice, warning, error or critical; the log goes to standard error.",
    transform: Self.level)
  var logLevel = Logger.Level.error

  var store: RemoteHostStore {
    RemoteHostStore(
      folder: stateFolder.map { URL(filePath: $0).standardizedFileURL.path(percentEncoded: false) }
        ?? RemoteHostStore.standardFolder)
  }

  func logger(_ make: @escaping (String) -> any LogHandler = { StreamLogHandler.standardError(label: $0) }) -> Logger {
    var logger = Logger(label: "remote") { make($0) }
    logger.logLevel = logLevel
    return logger
  }

  private static func level(_ text: String) throws -> Logger.Level {
    guard let level = Logger.Level(rawValue: text) else {
      throw ValidationError("--log-level is trace, debug, info, notice, warning, error or critical.")
    }
    return level
  }
}

/// The choice among the paired hosts.
struct HostOptions: ParsableArguments {
  @OptionGroup var storage: StoreOptions

  @Option(
    help: ArgumentHelp("The host, as 'remote hosts' lists it; not needed where there is one.", valueName: "name"))
  var host: String?

  /// Throws `RemoteError`.
  func client(logger: Logger) throws -> RemoteClient {
    let store = storage.store
    return try RemoteClient(
      host: try chosen(in: store), store: store, transport: storage.transport.transport,
      originStore: OriginStore(file: OriginStore.standardPath, logger: logger),
      resumptionStore: ResumptionStore(file: ResumptionStore.standardPath, logger: logger), logger: logger)
  }

  /// Runs `body` with a client, whose connections are closed at the end.
  func withClient<Value>(_ body: (RemoteClient) async throws -> Value) async throws -> Value {
    let client = try client(logger: storage.logger())
    do {
      let value = try await body(client)
      await client.close()
      return value
    } catch {
      await client.close()
      throw error
    }
  }

  private func chosen(in store: RemoteHostStore) throws -> RemoteHost {
    let hosts = try store.hosts()
    guard !hosts.isEmpty else {
      throw RemoteError(.unauthorized, "No host is paired; 'companion pair' there shows a code for 'remote pair'.")
    }
    let names = hosts.map(\.name).joined(separator: ", ")
    guard let host else {
      guard hosts.count == 1 else { throw ValidationError("Several hosts are paired; name one by --host: \(names).") }
      return hosts[0]
    }
    let found = hosts.filter { $0.name == host || $0.origin.host == host.lowercased() }
    guard found.count == 1 else {
      throw ValidationError("No host, or not one alone, is '\(host)'; there are: \(names).")
    }
    return found[0]
  }
}
