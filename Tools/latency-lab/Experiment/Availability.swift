import Foundation
import LatencyReport
import LinkEmulator

/// The availability of other programs, checked, and fetched where needed, before the first run.
enum Availability {
  /// The server's name and version. Throws ``LabError`` where it is not available.
  static func server(_ choice: ServerChoice) async throws -> String {
    switch choice {
    case .ours: return "agent-stream's own server"
    case .command: return choice.label
    case .peer(let name):
      let answer = try await ask("servers/peer", [name, "--check"])
      guard answer.status == 0 else {
        throw LabError(.unavailable, "The server \(name) is not available here: \(answer.text)")
      }
      return "\(answer.text) before our origin"
    case .caddy:
      let answer = try await ask("servers/caddy", ["--check"])
      guard answer.status == 0 else {
        throw LabError(.unavailable, "Caddy is not available here: \(answer.text)")
      }
      return "\(answer.text) before our origin"
    }
  }

  /// The arms that can run, and a sentence for each that cannot.
  static func arms(_ arms: [Arm]) async -> ([Arm], absent: [String]) {
    var present: [Arm] = []
    var absent: [String] = []
    for arm in arms {
      guard arm.network == .udp || TCPCongestionControl.available.contains(arm.congestionControl) else {
        absent.append(
          "The arm \(arm.name) is left out: this kernel has no TCP congestion control '\(arm.congestionControl)' "
            + "(modprobe tcp_\(arm.congestionControl)).")
        continue
      }
      guard arm.tuning.missing.isEmpty else {
        let files = arm.tuning.missing.map { "/proc/sys/net/\($0)" }.joined(separator: ", ")
        absent.append("The arm \(arm.name) is left out: this kernel has no \(files); Linux 6.11 has.")
        continue
      }
      guard case .foreign(let name) = arm.program else {
        present.append(arm)
        continue
      }
      do {
        let answer = try await ask("clients/stream-client", ["--check", name])
        if answer.status == 0 {
          present.append(arm)
        } else {
          absent.append("The arm \(arm.name) is left out: \(answer.text)")
        }
      } catch {
        absent.append("The arm \(arm.name) is left out: \(error)")
      }
    }
    return (present, absent)
  }

  /// The checkout's commit, as far as git knows it.
  static func revision() async -> NamedValue {
    let unknown = NamedValue("agent-stream", "unknown revision")
    guard let anchor = try? LabScripts.path(of: "servers/caddy") else { return unknown }
    let folder = URL(fileURLWithPath: anchor).deletingLastPathComponent().path
    let words = ["git", "-C", folder, "describe", "--always", "--dirty", "--abbrev=10"]
    guard let answer = try? await run("/usr/bin/env", words), answer.status == 0 else { return unknown }
    return NamedValue("agent-stream", answer.text)
  }

  private static func ask(_ script: String, _ arguments: [String]) async throws -> (status: Int32, text: String) {
    try await run(try LabScripts.path(of: script), arguments)
  }

  private static func run(_ path: String, _ arguments: [String]) async throws -> (status: Int32, text: String) {
    try await withCheckedThrowingContinuation { continuation in
      // Fetching takes up to minutes: a thread of its own waits.
      Thread.detachNewThread {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        do {
          try process.run()
          let data = try output.fileHandleForReading.readToEnd() ?? Data()
          process.waitUntilExit()
          let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
          // The lines before the last one of a successful script report its progress.
          let isDone = process.terminationStatus == 0
          let answer = isDone ? text.split(separator: "\n").last.map(String.init) ?? "" : text
          continuation.resume(returning: (process.terminationStatus, String(answer.suffix(600))))
        } catch {
          continuation.resume(throwing: LabError(.unavailable, "'\(path)' can't be run.", cause: error))
        }
      }
    }
  }
}
