import CLinux

/// A process's exit status and resource usage.
package struct ProcessEnding: Codable, Hashable, Sendable {
  /// nil when a signal ended it.
  package var exitCode: Int32?
  package var signal: Int32?
  /// The resources that the process and the descendants that it waited for used; nil when they are not known.
  package var userSeconds: Double?
  package var systemSeconds: Double?
  package var peakResidentBytes: Int?

  package var isSuccess: Bool { exitCode == 0 }

  /// For a report: "exited with 3", "was ended by signal 9".
  package var sentence: String {
    if let exitCode { return "exited with \(exitCode)" }
    if let signal { return "was ended by signal \(signal)" }
    return "was ended with the link"
  }

  init(_ ending: clinux_ending?) {
    guard let ending else { return }
    if ending.signal == 0 { exitCode = ending.exit_code } else { signal = ending.signal }
    userSeconds = Double(ending.user_microseconds) / 1e6
    systemSeconds = Double(ending.system_microseconds) / 1e6
    peakResidentBytes = Int(ending.peak_kilobytes) * 1_024
  }
}
