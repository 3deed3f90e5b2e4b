import ArgumentParser
import CodexCompanion

struct DevicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "Lists the devices that may control Codex here, and revokes them.",
    subcommands: [List.self, Revoke.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the devices.", discussion: "'companion devices revoke ID' revokes one.")

    @OptionGroup var state: StateOptions

    func run() async throws {
      guard case .devices(let devices) = try await Host(state.folder).ask(.devices) else { throw Host.strangeReply }
      for line in Self.lines(devices) { print(line) }
    }

    static func lines(_ devices: [Device]) -> [String] {
      guard !devices.isEmpty else { return ["No device is paired; 'companion pair' pairs one."] }
      return TextTable(
        head: ["ID", "PAIRED", "LAST USED", "NAME"],
        devices.map { device in
          [
            device.id, RecordTime(device.pairedAt).description,
            device.lastUsedAt.map { RecordTime($0).description } ?? "never", device.name,
          ]
        }
      ).lines
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Revokes a device: its tokens are void, its streams end, and its standing approvals are revoked.")

    @OptionGroup var state: StateOptions
    @Argument(help: "The device's id, as 'companion devices' lists it.") var id: String

    func run() async throws {
      _ = try await Host(state.folder).ask(.revokeDevice(deviceID: id))
      print("The device is revoked.")
    }
  }
}
