import ArgumentParser
import Foundation
import ToolSupport

/// `list`: the table.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Prints the table: name, what the server does, the rule, what a client has to do.")

  @Flag(help: "As one JSON object a line.")
  var json = false

  @Flag(help: "As a table in Markdown.")
  var markdown = false

  private struct Row: Encodable {
    var name: String
    var server: String
    var rule: String
    var client: [String]
    var seconds: Int64
  }

  func validate() throws {
    guard !(json && markdown) else { throw ValidationError("Give --json or --markdown, not both.") }
  }

  func run() throws {
    if markdown { print("| case | the server | rule | the client |\n|---|---|---|---|") }
    for row in HostileCase.all {
      let demands = row.demands.map(\.description)
      if json {
        print(
          try JSONLine.text(
            of: Row(
              name: row.name, server: row.does, rule: row.rule, client: demands,
              seconds: row.limit.components.seconds)))
      } else if markdown {
        print("| `\(row.name)` | \(row.does) | \(row.rule) | \(demands.joined(separator: "; ")) |")
      } else {
        print("\(row.name)\n  \(row.does) (\(row.rule))\n  → \(demands.joined(separator: "; "))")
      }
    }
  }
}
