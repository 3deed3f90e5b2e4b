import ArgumentParser
import Foundation
import LinkEmulator
import ToolSupport

/// Measures how late the events of a stream come over an emulated network.
@main
struct LatencyLab: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "latency-lab",
    abstract: "For this stream on this network: is HTTP/3 better than HTTP/1.1 and HTTP/2, and by how much?",
    discussion: """
      First steps: 'latency-lab doctor' checks this machine, 'latency-lab list' lists the networks, 'latency-lab run \
      loss-2' runs an experiment and writes a report.

      The network is emulated in this process: two network namespaces joined by two TUN devices. That takes root, or \
      user namespaces and a readable /dev/net/tun.

      Exit codes: 0 done; 1 failed; 2 usage; 10 a budget was missed; 69 not possible on this machine; 130 interrupted.
      """,
    subcommands: [
      RunCommand.self, WatchCommand.self, ListCommand.self, DoctorCommand.self, ReportCommand.self, CompareCommand.self,
      DrawCommand.self, ForestCommand.self, SweepCommand.self, CampaignCommand.self, LinkCommand.self,
      SimulateCommand.self,
      CoverageCommand.self,
      SchemaCommand.self,
      OriginCommand.self, ClientCommand.self,
    ])

  static func main() async {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      // Standard output may be a file.
      guard fflush(nil) == 0 else {
        throw LabError(.failed, "Standard output cannot be written: \(String(cString: strerror(errno))).")
      }
    } catch let error as LabError {
      StandardError.write("latency-lab: \(error)")
      Foundation.exit(error.code.rawValue)
    } catch let error as EmulatorError {
      StandardError.write("latency-lab: \(error)")
      let code: LabError.Code =
        switch error.code {
        case .privileges, .unsupported: .unavailable
        case .invalidArgument: .usage
        default: .failed
        }
      Foundation.exit(code.rawValue)
    } catch let error where error is WorkloadError || error is ScenarioError {
      StandardError.write("latency-lab: \(error)")
      Foundation.exit(LabError.Code.usage.rawValue)
    } catch let code as ExitCode {
      Foundation.exit(code.rawValue)
    } catch {
      let code = exitCode(for: error)
      guard code != .success else {
        print(fullMessage(for: error))
        Foundation.exit(0)
      }
      StandardError.write(fullMessage(for: error))
      Foundation.exit(code == .validationFailure ? LabError.Code.usage.rawValue : LabError.Code.failed.rawValue)
    }
  }
}
