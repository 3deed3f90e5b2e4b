import Foundation
import LinkEmulator

/// Reads a capture by tshark.
struct TraceReader: Sendable {
  /// The first version of tshark that decrypts version 2 and names its packet types.
  static let oldestVersion = (4, 0)
  private static let seconds = 120.0

  var program = "tshark"
  var tool: Tool

  func trace(_ capture: String, keys: String?) throws(SelectionError) -> Trace {
    let answer = tool.run(
      program, Self.arguments(capture, keys: keys), seconds: Self.seconds, mostBytes: TraceText.mostBytes)
    guard answer.isSuccess else {
      throw SelectionError("\(program) could not read \(capture): \(answer.lastWords)")
    }
    return TraceText.trace(answer.output, isServer: Self.isServer)
  }

  /// Whether an address is on the server's side of the link, whatever the NAT makes of the client's.
  static func isServer(_ address: String) -> Bool {
    address.hasPrefix("198.18.1.") || address.hasPrefix("2001:db8:18:1:")
  }

  static func arguments(_ capture: String, keys: String?) -> [String] {
    // HTTP/3's dissector is left out, as in the public runner: its errors must not hide QUIC's fields.
    var arguments = [
      "-n", "-r", capture, "--disable-protocol", "http3", "-d", "udp.port==1-65535,quic", "-Y",
      "quic && !icmp && !icmpv6", "-T", "fields", "-E", "separator=/t", "-E", "occurrence=a", "-E", "aggregator=,",
    ]
    if let keys { arguments += ["-o", "tls.keylog_file:\(keys)"] }
    return arguments + TraceField.allCases.flatMap { ["-e", $0.rawValue] }
  }

  /// nil if it is there and new enough; else what to do.
  func problem() -> String? {
    let answer = tool.run(program, ["--version"], seconds: 20)
    guard answer.isSuccess else { return "tshark is not there; install it (Tools/setup --tests)." }
    guard let version = Self.version(answer.output), version >= Self.oldestVersion else {
      return "tshark is too old for QUIC version 2; version 4.0 or newer is wanted."
    }
    return nil
  }

  /// "TShark (Wireshark) 4.0.17 (Git …)".
  static func version(_ text: String) -> (Int, Int)? {
    let line = text.split(separator: "\n").first ?? ""
    let word = line.split(separator: " ").first { $0.first?.isNumber == true } ?? ""
    let numbers = word.split(separator: ".").compactMap { Int($0) }
    return numbers.count >= 2 ? (numbers[0], numbers[1]) : nil
  }
}
