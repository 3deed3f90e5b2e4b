import Foundation

/// TCP's congestion controls of this kernel.
package enum TCPCongestionControl {
  private static let folder = "/proc/sys/net/ipv4/"

  /// The loaded algorithms; others may be modules that are loaded on demand.
  package static var available: [String] {
    words(of: "tcp_available_congestion_control")
  }

  /// The algorithm of connections outside our links.
  package static var systemDefault: String? {
    words(of: "tcp_congestion_control").first
  }

  static func missing(_ name: String) -> EmulatorError {
    EmulatorError(
      .unsupported,
      "This kernel has no TCP congestion control '\(name)', only \(available.joined(separator: ", ")); "
        + "load it as root (modprobe tcp_\(name)) or choose another.")
  }

  private static func words(of file: String) -> [String] {
    guard let text = try? String(contentsOfFile: folder + file, encoding: .utf8) else { return [] }
    return text.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
