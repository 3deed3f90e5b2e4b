import NIOCore
import NIOPosix
import Synchronization

/// One inert channel per HTTP/3 connection, for as long as a request of that connection holds it.
final class InertChannels: Sendable {
  private struct Entry {
    weak var channel: InertChannel?
  }

  private let entries = Mutex<[UInt64: Entry]>([:])
  private let group: any EventLoopGroup

  init(group: any EventLoopGroup) {
    self.group = group
  }

  /// The channel of the connection `id`, made if no request of it is running.
  func channel(of id: UInt64, remoteAddress: String) -> InertChannel {
    entries.withLock { entries in
      if let channel = entries[id]?.channel { return channel }
      // Dead entries are removed when the table has doubled, so the cost per request stays constant.
      if entries.count >= 64, entries.count.nonzeroBitCount == 1 {
        entries = entries.filter { $0.value.channel != nil }
      }
      let channel = InertChannel(remoteAddress: Self.parse(remoteAddress), eventLoop: group.next())
      entries[id] = Entry(channel: channel)
      return channel
    }
  }

  /// Reads `1.2.3.4:443` and `[::1]:443`; nil for anything else.
  static func parse(_ text: String) -> SocketAddress? {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    return try? SocketAddress(ipAddress: String(host), port: Int(port))
  }
}
