import ArgumentParser
import EventLedger
import Foundation
import ReferenceBackend
import StreamTransport

/// Deletes what is kept of a person, while a backend serves the database or not.
struct DeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Deletes sessions with all their data; may be repeated safely.")

  @Option(help: ArgumentHelp("A session; may be repeated.", valueName: "id"))
  var session: [String] = []

  @Option(help: ArgumentHelp("All sessions of a device; may be repeated.", valueName: "id"))
  var device: [String] = []

  @Option(
    help: ArgumentHelp(
      "SQLite file or PostgreSQL database. Default: backend.sqlite in the state folder.", valueName: "file|url"))
  var database: String?

  func validate() throws {
    guard !session.isEmpty || !device.isEmpty else {
      throw ValidationError("Say what to delete: --session or --device.")
    }
  }

  func run() async throws {
    let storage: BackendStorage
    switch try DatabaseChoice(database, state: StateFolder(environment: ProcessInfo.processInfo.environment)) {
    case .memory: throw ValidationError("A database in memory is its backend's alone.")
    case .file(let path): storage = try BackendDatabase(besideBackendAt: path).storage()
    case .server(let url): storage = try await DatabaseChoice.openServer(url).storage
    }
    let deletion = SessionDeletion(storage)
    var count = 0
    for id in session { count += try await deletion.delete(.session(Self.canonical(id))) }
    for id in device { count += try await deletion.delete(.device(id)) }
    try storage.close()
    print(count == 0 ? "nothing is kept of them" : "deleted \(count) session\(count == 1 ? "" : "s")")
  }

  /// A session's id as the backend keeps it: a UUID may be written in capitals as well.
  static func canonical(_ session: String) -> String { UUID(uuidString: session)?.uuidString.lowercased() ?? session }
}
