import CodexAppServer
import Glibc
import Logging
import ResolveKitCore
import TestSupport
import Testing

/// A connection over real pipes.
struct AppServerPipeTests {
  /// The other side of a connection's pipes.
  private final class Peer: Sendable {
    let connection: AppServerConnection
    /// The descriptors that codex reads and writes.
    let input: CInt
    let output: CInt

    init(limits: AppServerLimits) async throws {
      var toCodex: [CInt] = [0, 0]
      var fromCodex: [CInt] = [0, 0]
      try #require(pipe(&toCodex) == 0 && pipe(&fromCodex) == 0)
      input = toCodex[0]
      output = fromCodex[1]
      try #require(fcntl(output, F_SETFL, O_NONBLOCK) == 0)
      connection = try await AppServerConnection.open(
        input: fromCodex[0], output: toCodex[1], limits: limits,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    deinit {
      connection.close()
      close(input)
      close(output)
    }

    /// Writes what fits; the number of bytes that were taken.
    func write(_ bytes: ArraySlice<UInt8>) -> Int {
      max(0, bytes.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) })
    }
  }

  @Test func whoDoesNotReadHoldsCodexBackAndLosesNothing() async throws {
    var limits = AppServerLimits()
    limits.unreadBytes = 256 << 10
    let peer = try await Peer(limits: limits)
    let count = 20_000
    var bytes: [UInt8] = []
    for number in 0..<count { bytes += Array(#"{"method":"warning","params":{"message":"\#(number)"}}"#.utf8) + [0x0A] }
    // Until the pipe stays full, though it was given much time.
    var written = 0
    var refused = 0
    await until {
      let taken = peer.write(bytes[written...])
      written += taken
      refused = taken == 0 ? refused + 1 : 0
      return refused == 300 || written == bytes.count
    }
    #expect(written < bytes.count)

    let output = Task { [written, bytes] in
      var written = written
      await until {
        written += peer.write(bytes[written...])
        return written == bytes.count
      }
    }
    var next = 0
    for try await event in peer.connection.events {
      guard case .notification(let notification) = event else { continue }
      #expect(notification.params.objectValue?["message"] == .string("\(next)"))
      next += 1
      if next == count { break }
    }
    #expect(next == count)
    await output.value
  }

  @Test func anAnswerComesBehindWhatNobodyReads() async throws {
    var limits = AppServerLimits()
    limits.unreadBytes = 10_000
    let peer = try await Peer(limits: limits)
    let line =
      Array(#"{"method":"warning","params":{"message":"\#(String(repeating: "x", count: 900))"}}"#.utf8) + [0x0A]
    // Less than a pipe holds: codex can write all of it, and most of it stays unread.
    for _ in 0..<60 { #expect(peer.write(line[...]) == line.count) }
    let call = Task { try await peer.connection.call("a") }
    await until { peer.write(Array("{\"id\":1,\"result\":7}\n".utf8)[...]) > 0 }
    #expect(try await call.value == 7)
  }

  @Test func aLineOfAHundredMegabytesEndsTheConnection() async throws {
    let peer = try await Peer(limits: AppServerLimits())
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
    var written = 0
    await until {
      let taken = peer.write(piece[...])
      written += taken
      return written > 100 << 20 || !peer.connection.isOpen
    }
    #expect(written < 40 << 20)
    var events = peer.connection.events.makeAsyncIterator()
    let error = await #expect(throws: AppServerError.self) { try await events.next() }
    #expect(error?.code == .tooLarge)
  }
}
