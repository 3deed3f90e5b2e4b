import Foundation

/// Which TCP ports are listened on in a process's network namespace, read without sending anything: a packet on the link
/// would start its clock, from which outages and rebindings count.
struct OpenPorts: Sendable {
  private let process: Int32

  init(process: Int32) {
    self.process = process
  }

  func contains(_ port: UInt16) -> Bool {
    ["tcp", "tcp6"].contains { table in
      let text = (try? String(contentsOfFile: "/proc/\(process)/net/\(table)", encoding: .utf8)) ?? ""
      return Self.listening(in: text).contains(port)
    }
  }

  /// The ports in /proc/net/tcp or its like (proc_net(5)); state 0A is LISTEN (include/net/tcp_states.h).
  static func listening(in table: String) -> Set<UInt16> {
    let ports = table.split(separator: "\n").compactMap { row -> UInt16? in
      let columns = row.split(separator: " ")
      guard columns.count > 3, columns[3] == "0A", let digits = columns[1].split(separator: ":").last else {
        return nil
      }
      return UInt16(digits, radix: 16)
    }
    return Set(ports)
  }
}
