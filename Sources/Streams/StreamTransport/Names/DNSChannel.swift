import CAres
import CLinux
import Glibc
import HTTP3Engine

/// One look-up by c-ares, with sockets, query numbers and time limits of its own; on one thread at a time.
///
/// A c-ares channel. Its reports are queued and taken after the call has returned: no callback calls into the program.
final class DNSChannel {
  private final class Reports {
    /// The last of each socket: one may have been closed in the call that opened it, and its number used again.
    var interests: [CInt: Readiness] = [:]
    var answer: (status: CInt, list: UnsafeMutablePointer<ares_addrinfo>?)?
  }

  /// Addresses that are taken of one name.
  private static let limit = 16
  private static let startStatus = CAres_start()

  private let handle: ares_channel
  /// The library holds it unretained until its channel is destroyed.
  private let reports = Reports()

  /// Throws ``DNSFailure`` where the library has no memory, or does not take a server.
  ///
  /// - Parameter turn: how many look-ups there were before, where servers are to take turns.
  init(_ settings: DNSSettings, turn: Int) throws(DNSFailure) {
    guard Self.startStatus == 0 else { throw DNSFailure(status: Self.startStatus) }
    reports.interests.reserveCapacity(8)
    var domains = settings.search.map { strdup($0) }
    defer { domains.forEach { free($0) } }
    let context = Unmanaged.passUnretained(reports).toOpaque()
    var opened: ares_channel?
    let status = settings.serverList(turn).withCString { servers in
      domains.withUnsafeMutableBufferPointer { domains in
        var all = CAres_settings()
        all.servers = servers
        all.domains = domains.baseAddress
        all.domain_count = CInt(domains.count)
        all.dots = CInt(settings.dots)
        all.timeout = CInt(clamping: settings.timeout.nanosecondsClamped / 1_000_000)
        all.attempts = CInt(settings.attempts)
        return CAres_open(
          &opened, &all,
          { context, socket, readable, writable in
            var readiness: Readiness = []
            if readable != 0 { readiness.insert(.readable) }
            if writable != 0 { readiness.insert(.writable) }
            DNSChannel.reports(behind: context)?.interests[socket] = readiness
          }, context)
      }
    }
    guard status == 0, let opened else { throw DNSFailure(status: status) }
    handle = opened
  }

  deinit {
    ares_destroy(handle)
    if let list = reports.answer?.list { ares_freeaddrinfo(list) }
  }

  /// Begins; may be called once. The answer may be there at once.
  func lookUp(_ name: String) {
    CAres_look_up(
      handle, name,
      { context, status, _, list in DNSChannel.reports(behind: context)?.answer = (status, list) },
      Unmanaged.passUnretained(reports).toOpaque())
  }

  func process(_ socket: CInt, _ readiness: Readiness) {
    // An error is read like an answer.
    let isReadable = !readiness.isDisjoint(with: [.readable, .failed])
    CAres_process(handle, socket, isReadable, readiness.contains(.writable))
  }

  func processTimeLimits() {
    CAres_process(handle, -1, false, false)
  }

  /// Until time limits have to be processed; nil when there are none. Rounded up: the library's are rounded down.
  var wait: Duration? {
    let wait = CAres_wait(handle)
    return wait < 0 ? nil : .microseconds(wait + 1_000)
  }

  /// Returns the changed interests in sockets since the last call; none on a channel that was closed.
  func takeInterests() -> [CInt: Readiness] {
    defer { reports.interests.removeAll(keepingCapacity: true) }
    return reports.interests
  }

  /// The addresses in the order in which RFC 6724 prefers them; nil until the look-up has ended.
  func takeAnswer() -> Result<[NetworkAddress], DNSFailure>? {
    guard let answer = reports.answer else { return nil }
    reports.answer = nil
    defer { if let list = answer.list { ares_freeaddrinfo(list) } }
    guard answer.status == 0, let list = answer.list else { return .failure(DNSFailure(status: answer.status)) }
    var addresses: [NetworkAddress] = []
    var next = list.pointee.nodes
    while let node = next, addresses.count < Self.limit {
      var system = clinux_address()
      if clinux_read_address(node.pointee.ai_addr, Int(node.pointee.ai_addrlen), &system),
        let address = NetworkAddress(system)
      {
        addresses.append(address)
      }
      next = node.pointee.ai_next
    }
    return .success(addresses)
  }

  private static func reports(behind context: UnsafeMutableRawPointer?) -> Reports? {
    context.map { Unmanaged<Reports>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension DNSSettings {
  /// In c-ares's form. Servers that are reached by one interface alone are left out where it cannot tell them.
  fileprivate func serverList(_ turn: Int) -> String {
    let first = rotates ? turn % servers.count : 0
    return (servers[first...] + servers[..<first]).compactMap { server -> String? in
      guard case .v6(let high, let low, let scope) = server.ip, scope != 0 else { return server.description }
      guard CAres_takes_scopes() else { return nil }
      return "\(NetworkAddress(ip: .v6(high, low, scope: 0), port: server.port))%\(scope)"
    }.joined(separator: ",")
  }
}
