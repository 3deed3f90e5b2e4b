import Foundation

/// The open ports in the network namespace of a process, read without sending anything.
struct ListeningPorts {
  private let process: Int32

  init(process: Int32) {
    self.process = process
  }

  func hasTCP(_ port: UInt16) -> Bool {
    // State 0A is LISTEN (include/net/tcp_states.h).
    sockets("tcp", "tcp6").contains { $0.port == port && $0.state == "0A" }
  }

  func hasUDP(_ port: UInt16) -> Bool {
    sockets("udp", "udp6").contains { $0.port == port }
  }

  private func sockets(_ tables: String...) -> [(port: UInt16, state: Substring)] {
    tables.flatMap { table -> [(port: UInt16, state: Substring)] in
      guard let text = try? String(contentsOfFile: "/proc/\(process)/net/\(table)", encoding: .utf8) else { return [] }
      return text.split(separator: "\n").dropFirst().compactMap { line in
        let columns = line.split(separator: " ")
        guard columns.count > 3, let digits = columns[1].split(separator: ":").last,
          let port = UInt16(digits, radix: 16)
        else { return nil }
        return (port, columns[3])
      }
    }
  }
}
