import ArgumentParser
import EventLedger
import Foundation
import StreamTransport

/// Copies the database while a backend serves it.
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copies a backend's database to a new file, while it is served or not.")

  @Argument(help: "The file to write, which must not exist.")
  var file: String

  @Option(help: ArgumentHelp("The SQLite file. Default: backend.sqlite in the state folder.", valueName: "file|url"))
  var database: String?

  func run() async throws {
    switch try DatabaseChoice(database, state: StateFolder(environment: ProcessInfo.processInfo.environment)) {
    case .file(let path):
      try await LedgerBackup.write(databaseAt: path, to: file)
      print("copied '\(path)' to '\(file)'")
    case .memory: throw ValidationError("A database in memory cannot be copied.")
    case .server(let url):
      throw ValidationError(
        "PostgreSQL is backed up by its own program: pg_dump --format=custom --file='\(file)' '\(url)'. To restore it, "
          + "createdb a new database and pg_restore --dbname=URL '\(file)'.")
    }
  }
}
