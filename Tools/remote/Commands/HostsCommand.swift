import ArgumentParser
import CodexRemoteClient
import ResolveKitCore
import TerminalIO

/// Lists the paired hosts, and forgets one.
struct HostsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hosts", abstract: "Lists the hosts that this device is paired with.",
    subcommands: [List.self, Remove.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the hosts, the one that was paired last first.")

    @OptionGroup var storage: StoreOptions

    func run() async throws {
      let hosts = try storage.store.hosts()
      for host in hosts {
        if storage.json {
          var members: JSONObject = ["kind": "host", "host": .string(host.name), "device_id": .string(host.deviceID)]
          members["fingerprint"] = host.fingerprint.map { .string($0) }
          Printing.json(members)
        } else {
          Printing.line(
            "\(host.name)  device \(host.deviceID)" + (host.fingerprint == nil ? "" : "  certificate pinned"))
        }
      }
      if hosts.isEmpty { TerminalOutput.status("remote: no host is paired\n").write() }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Ends a pairing: the companion is asked to forget this device, and this device forgets the companion.")

    @OptionGroup var options: HostOptions

    @Argument(help: "The host, as 'remote hosts' lists it.") var name: String

    func run() async throws {
      var options = options
      options.host = name
      let (origin, failure) = try await options.withClient { client in
        do { try await client.revoke() } catch { return (client.host.origin, RemoteError(error) as RemoteError?) }
        return (client.host.origin, nil)
      }
      _ = try await options.storage.store.remove(origin)
      // One that does not know this device any more needs no request.
      guard let failure, failure.code != .unauthorized else { return }
      TerminalOutput.status(
        "Forgotten here alone: the companion could not be notified (\(TerminalText.line(failure.message))); "
          + "'companion devices revoke' does it there.\n"
      ).write()
      throw ExitCode(failure.code)
    }
  }
}
