import ArgumentParser
import CodexRemoteClient
import ResolveKitCore

/// Lists the companion's projects.
struct ProjectsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "projects", abstract: "Lists the projects.")

  @OptionGroup var options: HostOptions

  func run() async throws {
    for project in try await options.withClient({ try await $0.projects() }) {
      if options.storage.json {
        Printing.json([
          "kind": "project", "id": .string(project.id), "folder": .string(project.folder),
          "title": .string(project.title),
          "updated_at": .number(project.updatedAt),
        ])
      } else {
        Printing.line("\(project.id)  \(Printing.time(project.updatedAt))  \(project.folder)")
      }
    }
  }
}

/// Lists the companion's chats.
struct ChatsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "chats", abstract: "Lists the chats, the latest first.")

  @OptionGroup var options: HostOptions

  @Option(help: ArgumentHelp("Those of one project, by its id.", valueName: "id"))
  var project: String?

  func run() async throws {
    for chat in try await options.withClient({ try await $0.chats(inProject: project) }) {
      if options.storage.json {
        Printing.json([
          "kind": "chat", "id": .string(chat.id), "title": .string(chat.title),
          "project_id": chat.projectID.map { .string($0) } ?? .null, "updated_at": .number(chat.updatedAt),
        ])
      } else {
        Printing.line("\(chat.id)  \(Printing.time(chat.updatedAt))  \(chat.title)")
      }
    }
  }
}

/// Begins a chat.
struct NewCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Begins a chat, and prints its id for 'remote open'.")

  @OptionGroup var options: HostOptions

  @Option(help: ArgumentHelp("The model; codex's own choice by default.", valueName: "name"))
  var model: String?

  @Argument(help: "The folder on the companion's machine; that of the project that was used last by default.")
  var folder: String?

  func run() async throws {
    let chat = try await options.withClient { try await $0.newChat(inFolder: folder, model: model) }
    if options.storage.json {
      Printing.json([
        "kind": "chat", "id": .string(chat.id), "project_id": chat.projectID.map { .string($0) } ?? .null,
      ])
    } else {
      Printing.line(chat.id)
    }
  }
}
