import ArgumentParser
import CodexWorkersClient
import Foundation
import ResolveKitCore

struct WorkersLoginCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Signs in by a code that the runtime sends by e-mail.",
    discussion: "The token is kept in a file for you alone. Signing in again replaces it.")

  @OptionGroup var options: WorkersOptions
  @Argument(help: "The runtime's URL.") var url: String
  @Option(help: ArgumentHelp("Your e-mail address; asked for without it.", valueName: "address")) var email: String?

  func run() async throws {
    let place = try WorkersPlace(url, options)
    try await place.run {
      let credential = try await place.signIn(email: try email ?? Self.ask())
      print("Signed in as \(credential.email.visible) at \(place.server).")
    }
  }

  private static func ask() throws -> String {
    FileHandle.standardError.write(Data("E-mail address: ".utf8))
    guard let email = readLine()?.trimmingCharacters(in: .whitespaces), email.contains("@") else {
      throw ValidationError("An e-mail address is needed; give it by --email.")
    }
    return email
  }
}
