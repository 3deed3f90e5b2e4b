import Glibc

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
    guard let bytes = SocketText.bytes(address) else {
      return .problem(.port, "'\(address)' is no IP address.", remedy: "Give one of this machine's: ip address")
    }
    if let running, running.addresses.contains("https://\(place)") {
      return .good(.port, "The running companion listens on \(place).")
    }
    for (name, kind) in [("TCP", SOCK_STREAM), ("UDP", SOCK_DGRAM)] {
      let number = Self.bind(bytes, port, Int32(kind.rawValue))
      if number != 0 { return failure(number, name, place) }
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

  /// 0, or the number of the error.
  private static func bind(_ address: [UInt8], _ port: Int, _ kind: Int32) -> Int32 {
    let isVersion4 = address.count == 4
    let descriptor = socket(isVersion4 ? AF_INET : AF_INET6, kind | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    if kind == Int32(SOCK_STREAM.rawValue) {
      // As the server does: connections that ended a moment ago take no port.
      var yes: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
    return bind(descriptor, to: place(address, port)) == 0 ? 0 : errno
  }

  /// A `sockaddr_in` or `sockaddr_in6`, byte by byte: a release build takes the members of both for another module's.
  private static func place(_ address: [UInt8], _ port: Int) -> [UInt8] {
    let isVersion4 = address.count == 4
    let family = sa_family_t(isVersion4 ? AF_INET : AF_INET6)
    let network = UInt16(truncatingIfNeeded: port)
    let head = withUnsafeBytes(of: family) { Array($0) } + [UInt8(network >> 8), UInt8(truncatingIfNeeded: network)]
    // Behind the port come 4 bytes of address and 8 unused ones, or a flow label, 16 bytes of address and a scope.
    let zeros = [UInt8](repeating: 0, count: 8)
    return isVersion4 ? head + address + zeros : head + zeros.prefix(4) + address + zeros.prefix(4)
  }

  private static func bind(_ descriptor: Int32, to place: [UInt8]) -> Int32 {
    place.withUnsafeBytes { bytes in
      guard let first = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else { return -1 }
      return Glibc.bind(descriptor, first, socklen_t(bytes.count))
    }
  }
}
