import Foundation
import Synchronization

/// A PostgreSQL of the tests' own, which ends with them.
package final class PostgresCluster: Sendable {
  /// The reason for which there is no PostgreSQL, or one of its programs failed.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private static let shared = Mutex<PostgresCluster?>(nil)

  /// The address of a database, and of its socket's folder.
  package let url: String
  package let folder: String
  private let process: Process
  /// The cluster ends when this does, be it with the process that holds it.
  private let input: Pipe
  private let output: Pipe

  /// Whether tests need it: where it is installed, and in CI.
  package static var isExpected: Bool {
    ProcessInfo.processInfo.environment["CI"] == "true"
      || FileManager.default.fileExists(atPath: "/usr/lib/postgresql")
  }

  /// The one that tests share; each makes a database of its own in it.
  package static func get() throws -> PostgresCluster {
    try shared.withLock { cluster in
      if let cluster { return cluster }
      // Durability is PostgreSQL's to test.
      let new = try PostgresCluster(settings: ["fsync=off", "max_connections=400"])
      cluster = new
      return new
    }
  }

  /// - Parameter certificateName: the name in the certificate of a server that speaks TLS on 127.0.0.1; nil for one that
  ///   listens on its socket alone.
  package init(settings: [String], certificateName: String? = nil) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    process = Process()
    input = Pipe()
    output = Pipe()
    process.executableURL = root.appending(path: "Tools/checks/cluster")
    process.arguments = (certificateName.map { ["--tls", $0] } ?? []) + settings.flatMap { ["-c", $0] }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = Data()
    while !line.contains(10), case let bytes = output.fileHandleForReading.availableData, !bytes.isEmpty {
      line += bytes
    }
    url = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard let host = url.split(separator: "host=").last?.split(separator: "&").first else {
      throw Failure(description: "No PostgreSQL for the tests; its message is above.")
    }
    folder = String(host)
  }

  /// The address of a new, empty database.
  package func makeDatabase() throws -> String {
    let name = "test_" + UUID().uuidString.replacing("-", with: "").lowercased()
    _ = try run("CREATE DATABASE \(name)", in: url)
    return address(of: name)
  }

  package func address(of database: String) -> String { "postgresql:///\(database)?host=\(folder)&user=ledger" }

  /// Runs SQL, and returns what psql prints.
  @discardableResult
  package func run(_ sql: String, in url: String) throws -> String {
    try Self.output(of: "psql", [url, "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", sql])
  }

  /// Runs a program of PostgreSQL's, and returns what it prints.
  package static func output(of program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        description: "\(program) \(arguments.joined(separator: " ")) failed; its message is above.")
    }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Ends the server at once, as a crash does, and starts it again; returns when it is back.
  package func restart() throws {
    try input.fileHandleForWriting.write(contentsOf: Data("restart\n".utf8))
    guard !output.fileHandleForReading.availableData.isEmpty else {
      throw Failure(description: "PostgreSQL does not start again; its message is above.")
    }
  }

  /// Ends it, and removes its folder.
  package func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
