import CLinux
import Foundation

/// Prepares a fresh namespace as one side of a link; runs on the namespace's thread.
struct NamespaceSetup: Sendable {
  var side: LinkSide
  var congestionControl: String?
  var tuning = TCPTuning()
  var hasIPv6: Bool

  /// Packets that wait for the emulator inside the kernel, before the link; far more than one turn of it leaves.
  private static let transmitQueuePackets: UInt32 = 10_000
  private static let mtu: UInt32 = 1_500
  private static let settings = TCPTuning.folder

  /// Makes and configures the device; answers its descriptor.
  func makeDevice() throws(EmulatorError) -> CInt {
    try writeSettings()
    let answer = clinux_tun_open(LinkSide.deviceName)
    guard answer >= 0 else {
      throw EmulatorError(
        answer == -EPERM || answer == -EACCES ? .privileges : .unsupported,
        "No TUN device can be made; \(Privileges.remedy)", cause: SystemCallError("/dev/net/tun", answer: answer))
    }
    let device = Descriptor(owning: answer)
    try configure("lo", clinux_link_up("lo", 0, 0))
    try configure("the device", clinux_link_up(LinkSide.deviceName, Self.mtu, Self.transmitQueuePackets))
    try addAddress(side.address, prefixLength: 24)
    try addRoute(LinkSide.network.address, LinkSide.network.prefixLength)
    if hasIPv6 {
      try addAddress(side.addressIPv6, prefixLength: 64)
      try addRoute(LinkSide.networkIPv6.address, LinkSide.networkIPv6.prefixLength)
    }
    return device.release()
  }

  /// Runs before the device exists, so that not even its first packet is one of autoconfiguration.
  private func writeSettings() throws(EmulatorError) {
    try write("1", to: "ipv4/tcp_no_metrics_save")
    for setting in tuning.settings { try write(setting.value, to: setting.name) }
    // The route pins it for what crosses the link; this default is for those who read it, and not all may be set.
    if let congestionControl { try? write(congestionControl, to: "ipv4/tcp_congestion_control") }
    let hasFolder = FileManager.default.fileExists(atPath: Self.settings + "ipv6/conf/default")
    guard hasFolder else {
      guard hasIPv6 else { return }
      throw EmulatorError(.unsupported, "This kernel has no IPv6; ask for a link without it.")
    }
    try write(hasIPv6 ? "0" : "1", to: "ipv6/conf/all/disable_ipv6")
    try write(hasIPv6 ? "0" : "1", to: "ipv6/conf/default/disable_ipv6")
    guard hasIPv6 else { return }
    for name in ["accept_ra", "router_solicitations", "accept_dad", "dad_transmits"] {
      try write("0", to: "ipv6/conf/default/" + name)
    }
    // No link-local address: it is not needed, and it would announce itself.
    try write("1", to: "ipv6/conf/default/addr_gen_mode")
  }

  private func write(_ value: String, to setting: String) throws(EmulatorError) {
    let path = Self.settings + setting
    let number = open(path, O_WRONLY | O_CLOEXEC)
    let written = number < 0 ? -1 : value.withCString { Glibc.write(number, $0, strlen($0)) }
    let error = errno
    if number >= 0 { clinux_close(number) }
    guard written < 0 else { return }
    throw EmulatorError(
      .unsupported, "\(path) can't be set to \(value) in a new namespace; in a container, let /proc/sys be writable.",
      cause: SystemCallError("write", answer: -error))
  }

  private func addAddress(_ text: String, prefixLength: UInt8) throws(EmulatorError) {
    var address = try address(text)
    try configure("address \(text)", clinux_link_add_address(LinkSide.deviceName, &address, prefixLength))
  }

  private func addRoute(_ text: String, _ prefixLength: UInt8) throws(EmulatorError) {
    var destination = try address(text)
    let answer = clinux_link_add_route(LinkSide.deviceName, &destination, prefixLength, congestionControl)
    if answer < 0, let congestionControl, !TCPCongestionControl.available.contains(congestionControl) {
      throw TCPCongestionControl.missing(congestionControl)
    }
    try configure("the route to \(text)", answer)
  }

  private func address(_ text: String) throws(EmulatorError) -> clinux_address {
    var address = clinux_address()
    guard clinux_read_literal(text, 0, &address) else {
      throw EmulatorError(.invalidArgument, "'\(text)' is not an IP address.")
    }
    return address
  }

  private func configure(_ what: String, _ answer: CInt) throws(EmulatorError) {
    guard answer < 0 else { return }
    throw EmulatorError(
      .system, "In the \(side.rawValue)'s namespace \(what) could not be set up.",
      cause: SystemCallError("rtnetlink", answer: answer))
  }
}
