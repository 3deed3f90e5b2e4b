import ArgumentParser
import EventLedger
import Foundation
import Logging
import WorkerRuntime

/// Issues, shows and ends API tokens, beside runtimes that serve or without one.
struct TokensCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tokens", abstract: "Issues, lists and revokes API tokens.",
    subcommands: [Create.self, List.self, Revoke.self])

  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Issues a token and prints it; only a digest of it is kept.",
      discussion: "The user of the e-mail address is made where there is none. The token ends with 'tokens revoke'.")

    @OptionGroup var database: DatabaseOptions

    @Option(help: "The user's e-mail address.")
    var email: String

    @Option(help: "What the token is for.")
    var name = "API"

    func validate() throws {
      guard email.split(separator: "@").count == 2, email.utf8.count <= 255 else {
        throw ValidationError("--email is an address such as ana@example.com.")
      }
      guard name.utf8.count <= 255 else { throw ValidationError("--name has 255 bytes at most.") }
    }

    func run() async throws {
      let grant = try await TokensCommand.core(database).accounts.issue(to: email, name: name)
      print(grant.secret)
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists users' tokens: id, user, e-mail, time, name.")

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
      let book = try await TokensCommand.core(database).accounts.book()
      for user in book.allUsers {
        for token in book.tokens(of: user.id) {
          print(token.id, user.id, user.email, token.createdAt.zulu, token.name, separator: "\t")
        }
      }
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Ends a token, within a second or two everywhere.")

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The token's id, as 'tokens list' shows it.")
    var id: String

    func run() async throws {
      guard try await TokensCommand.core(database).accounts.revoke(id) else {
        throw ValidationError("There is no token '\(id)'; see 'workers tokens list'.")
      }
    }
  }

  /// The services that work on the database without serving.
  static func core(_ database: DatabaseOptions) async throws -> RuntimeCore {
    RuntimeCore(
      try await database.open(), logger: Logger(label: "workers") { StreamLogHandler.standardError(label: $0) })
  }
}

/// Makes the read model again from the ledger.
struct RebuildProjectionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild-projection", abstract: "Rebuilds the summaries of all workers from their events.",
    discussion: "Runtimes may continue to serve: no decision reads the summaries.")

  @OptionGroup var database: DatabaseOptions

  func run() async throws {
    print("\(try await TokensCommand.core(database).rebuildReadModel()) summaries")
  }
}
