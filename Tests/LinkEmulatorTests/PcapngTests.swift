import Foundation
import LinkEmulator
import LinkModel
import Testing

@Suite struct PcapngTests {
  @Test func aCaptureIsReadBackAsItWas() throws {
    let folder = try TemporaryFolder()
    var capture = PacketCapture(limits: CaptureLimits(packetBytes: 40, totalBytes: 1 << 20))
    let short = Packets.udp(payload: [1, 2, 3])
    let long = Packets.udp(payload: [UInt8](repeating: 9, count: 100))
    capture.append(short, side: .client, isReceived: false, at: 1_000, .delivered, .none)
    capture.append(long, side: .client, isReceived: false, at: 2_000, .dropped, .loss)
    capture.append(short, side: .server, isReceived: true, at: 26_000, .delivered, .corrupted)
    capture.append(short, side: .client, isReceived: false, at: 27_000, .delivered, .corrupted)
    // Far enough for the upper half of the time to count.
    let offset: Int64 = 1_800_000_000_123_456_789
    let paths = try CaptureFiles.write(capture, snapLength: 40, wallClockOffset: offset, to: folder.path("out"))
    #expect(paths == [folder.path("out/client.pcapng"), folder.path("out/server.pcapng")])

    let client = try PcapngReader(folder.bytes("out/client.pcapng"))
    #expect(client.interfaceName == "client")
    #expect(client.timeResolution == 9)
    #expect(client.linkType == 101)
    #expect(client.snapLength == 40)
    let start = UInt64(offset)
    #expect(
      client.packets == [
        PcapngReader.Packet(nanoseconds: start + 1_000, originalLength: 31, bytes: short, flags: 2),
        PcapngReader.Packet(
          nanoseconds: start + 2_000, originalLength: 128, bytes: Array(long[..<40]), comment: "dropped: loss", flags: 2
        ),
        PcapngReader.Packet(
          nanoseconds: start + 27_000, originalLength: 31, bytes: short, comment: "corrupted on the link", flags: 2),
      ])
    let server = try PcapngReader(folder.bytes("out/server.pcapng"))
    #expect(server.interfaceName == "server")
    #expect(
      server.packets == [
        PcapngReader.Packet(
          nanoseconds: start + 26_000, originalLength: 31, bytes: short, comment: "corrupted", flags: 1)
      ])
  }

  @Test func aCaptureEndsAtItsLimitAndSaysSo() throws {
    var capture = PacketCapture(limits: CaptureLimits(packetBytes: 65_535, totalBytes: 10_000))
    for time in 0..<100 {
      capture.append(
        [UInt8](repeating: 0, count: 900), side: .client, isReceived: false, at: Int64(time), .delivered, .none)
    }
    #expect(!capture.isComplete)
    #expect(capture.packets.count > 0)
    #expect(capture.packets.count * 900 <= 10_000)
    // Nothing is kept after the first packet that was left out, not even a small one.
    let count = capture.packets.count
    capture.append([1], side: .client, isReceived: false, at: 200, .delivered, .none)
    #expect(capture.packets.count == count)
  }

  @Test func aFolderThatCannotBeMadeIsNamed() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(filePath: folder.path("file")))
    let error = #expect(throws: EmulatorError.self) {
      try CaptureFiles.write(
        PacketCapture(limits: CaptureLimits()), snapLength: 1, wallClockOffset: 0, to: folder.path("file/out"))
    }
    #expect(error?.code == .file)
    #expect(error?.message.contains("file/out") == true)
  }
}
