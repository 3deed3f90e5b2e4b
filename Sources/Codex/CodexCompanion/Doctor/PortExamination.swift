import Glibc
import StreamTransport

/// Whether the companion can listen on its port, by TCP and by UDP.
struct PortExamination {
  private let address: String
  private let port: Int
  private let running: ControlStatus?

  /// - Parameter running: what the companion says that runs with the same state folder.
  init(address: String, port: Int, running: ControlStatus?) {
    self.address = address
    self.port = port
    self.running = running
  }

  func finding() async -> DoctorFinding {
    let place = "\(SocketText.inURL(address)):\(port)"
    guard SocketText.bytes(address) != nil else {
      return .problem(.port, "'\(address)' is no IP address.", remedy: "Give one of this machine's: ip address")
    }
    if let running, running.addresses.contains("https://\(place)") {
      return .good(.port, "The running companion listens on \(place).")
    }
    for (name, kind) in [("TCP", BoundSocket.Kind.tcp), ("UDP", .udp)] {
      do throws(SystemError) {
        _ = try BoundSocket(kind, at: address, port: UInt16(truncatingIfNeeded: port))
      } catch {
        return failure(error.number, name, place)
      }
    }
    return .good(.port, "\(place) is free.")
  }

  private func failure(_ number: Int32, _ name: String, _ place: String) -> DoctorFinding {
    let remedy =
      switch number {
      case EADDRINUSE: "End what listens there ('ss -lpn' shows it), or choose another --port."
      case EADDRNOTAVAIL: "Give one of this machine's addresses ('ip address' lists them); a tunnel may be down."
      case EACCES: "Choose a --port above 1023."
      default: "Choose another --address or --port."
      }
    return .problem(
      .port, "\(place) cannot be listened on by \(name): \(String(cString: strerror(number))).", remedy: remedy)
  }
}
