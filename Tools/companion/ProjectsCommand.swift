import ArgumentParser
import CodexCompanion

struct ProjectsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "projects",
    abstract: "Lists the folders that codex has worked in, hides them from devices, shows them.",
    subcommands: [List.self, Hide.self, Show.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the projects.",
      discussion: "Without a running companion, those that are hidden: the others are known by codex.")

    @OptionGroup var state: StateOptions

    func run() async throws {
      guard case .projects(let projects) = try await Host(state.folder).ask(.projects) else { throw Host.strangeReply }
      for line in Self.lines(projects) { print(line) }
    }

    static func lines(_ projects: [ControlProject]) -> [String] {
      guard !projects.isEmpty else { return ["There is no project, and nothing is hidden."] }
      return TextTable(
        head: ["DEVICES", "LAST USED", "FOLDER"],
        projects.map { project in
          [
            project.isHidden ? "hidden" : "see it", project.updatedAt.map { RecordTime($0).description } ?? "-",
            project.folder,
          ]
        }
      ).lines
    }
  }

  struct Hide: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Hides a folder, with all that is in it: devices neither see nor drive it.",
      discussion: "Its chats' streams end at once, turns that run there are interrupted, and what they ask is declined."
    )

    @OptionGroup var state: StateOptions
    @Argument(help: "The folder.") var path: String

    func run() async throws {
      let folder = ServeOptions.fullPath(path)
      _ = try await Host(state.folder).ask(.hideProject(folder: folder))
      print("Hidden from devices: \(folder)")
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Shows a folder that was hidden.")

    @OptionGroup var state: StateOptions
    @Argument(help: "The folder, as 'companion projects' lists it.") var path: String

    func run() async throws {
      let folder = ServeOptions.fullPath(path)
      _ = try await Host(state.folder).ask(.showProject(folder: folder))
      print("Shown to devices: \(folder)")
    }
  }
}
