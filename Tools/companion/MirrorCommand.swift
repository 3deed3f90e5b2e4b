import ArgumentParser
import CodexCompanion
import EventLedger
import Foundation
import ResolveKitCore

struct MirrorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mirror", abstract: "Lists and changes the workspaces that are mirrored to an account of a runtime.",
    discussion:
      "Nothing is mirrored before it is switched on, and nothing that happened before. Hidden projects never are.",
    subcommands: [List.self, On.self, Off.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the workspaces that are mirrored.")

    @OptionGroup var state: StateOptions

    func run() async throws {
      for line in Self.lines(try MirrorPolicyFile(path: state.folder.mirrorPolicy).read()) { print(line) }
    }

    static func lines(_ policy: MirrorPolicy) -> [String] {
      guard !policy.entries.isEmpty else { return ["Nothing is mirrored."] }
      return TextTable(
        head: ["ACCOUNT", "SINCE", "WORKSPACE"],
        policy.entries.map { [$0.account, RecordTime(Int($0.since.microseconds / 1_000)).description, $0.folder] }
      ).lines
    }
  }

  struct On: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Mirrors a workspace from now on: its chats can be read and written to through the runtime.")

    @OptionGroup var state: StateOptions
    @OptionGroup var which: Workspace

    func run() async throws { try which.set(state.folder, isOn: true) }
  }

  struct Off: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Stops mirroring a workspace; the runtime keeps what it has.")

    @OptionGroup var state: StateOptions
    @OptionGroup var which: Workspace

    func run() async throws { try which.set(state.folder, isOn: false) }
  }

  struct Workspace: ParsableArguments {
    @Argument(help: ArgumentHelp("The workspace's folder.", valueName: "dir")) var folder: String
    @Option(help: ArgumentHelp("The e-mail address of the account at the runtime.", valueName: "address"))
    var account: String

    func set(_ state: CompanionFolder, isOn: Bool) throws {
      let path = URL(filePath: folder).standardizedFileURL.path(percentEncoded: false)
      let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
      var isFolder: ObjCBool = false
      // One that is gone can still be switched off.
      guard !isOn || FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), !isOn || isFolder.boolValue
      else { throw ValidationError("A workspace is a folder; there is none at '\(folder.visible)'.") }
      try state.make()
      try MirrorPolicyFile(path: state.mirrorPolicy).change {
        $0.set(folder, for: account, isOn: isOn, at: .current)
      }
      print(
        "'\(folder.visible)' is \(isOn ? "mirrored to \(account.visible) from now on" : "mirrored no more").")
    }
  }
}
