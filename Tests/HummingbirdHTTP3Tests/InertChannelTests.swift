import NIOCore
import NIOPosix
import Testing

@testable import HummingbirdHTTP3

struct InertChannelTests {
  private let group = MultiThreadedEventLoopGroup.singleton

  @Test func itTellsItsPeerAndRefusesTheRest() async throws {
    let channels = InertChannels(group: group)
    let channel = channels.channel(of: 1, remoteAddress: "127.0.0.1:4433")
    #expect(channel.remoteAddress?.ipAddress == "127.0.0.1")
    #expect(channel.remoteAddress?.port == 4_433)
    #expect(!channel.isActive && !channel.isWritable)
    await #expect(throws: ChannelError.self) { try await channel.writeAndFlush(ByteBuffer()).get() }
    await #expect(throws: ChannelError.self) { try await channel.close().get() }
    await #expect(throws: ChannelError.self) { try await channel.getOption(.autoRead).get() }
  }

  @Test func requestsOfAConnectionShareItWhileTheyRun() {
    let channels = InertChannels(group: group)
    let one = channels.channel(of: 1, remoteAddress: "127.0.0.1:1")
    #expect(one === channels.channel(of: 1, remoteAddress: "127.0.0.1:1"))
    #expect(one !== channels.channel(of: 2, remoteAddress: "127.0.0.1:1"))
    weak var gone: InertChannel?
    do { gone = channels.channel(of: 3, remoteAddress: "") }
    #expect(gone == nil)
  }

  @Test func whoAskedForItsEndIsTold() async throws {
    var channel: InertChannel? = InertChannel(remoteAddress: nil, eventLoop: group.next())
    let futures = [channel?.closeFuture, channel?.closeFuture].compactMap { $0 }
    #expect(futures.count == 2)
    channel = nil
    for future in futures { try await future.get() }
  }

  @Test(arguments: [
    ("127.0.0.1:443", "127.0.0.1", 443), ("[::1]:8443", "::1", 8_443), ("::1:8443", "::1", 8_443),
  ])
  func addressesAreRead(_ text: String, _ host: String, _ port: Int) {
    let address = InertChannels.parse(text)
    #expect(address?.ipAddress == host)
    #expect(address?.port == port)
  }

  @Test(arguments: ["", ":", "host:1", "127.0.0.1", "127.0.0.1:", "127.0.0.1:99999", "[]:1"])
  func otherAddressesAreNone(_ text: String) {
    #expect(InertChannels.parse(text) == nil)
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (1_709_164_799, "Wed, 28 Feb 2024 23:59:59 GMT"),
  ])
  func datesAreInTheFixedForm(_ second: Int, _ text: String) {
    #expect(HTTPDate.text(second: second) == text)
  }
}
