import ArgumentParser
import Foundation
import HTTP3Engine
import StreamTransport
import ToolSupport

/// `serve`: one case for one client, which the caller starts.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Plays one case with the client that comes.",
    discussion: """
      Prints the authority's certificate for the client, in PEM form, and the address, waits for a client on 127.0.0.1, \
      and prints the verdict as one JSON object. Exit codes: 0 passed, or the case says nothing of this client; \
      1 failed; 64 usage.

      The outcome of a request is not known here if the client reports nothing on the wire; `check` asks its exit status.
      """)

  @Option(name: .customLong("case"), help: "A name from `list`.")
  var name: String

  @Option(help: "The UDP port; 0 for any.")
  var port: UInt16 = 4_433

  @Option(help: ArgumentHelp("Write the certificate here too.", valueName: "file"))
  var certificate: String?

  func validate() throws {
    guard HostileCase.named(name) != nil else { throw ValidationError("'\(name)' is no case; see `list`.") }
  }

  func run() async throws {
    guard let row = HostileCase.named(name) else { return }
    let certificates = try CaseCertificates(row.certificate, key: .p256)
    if let certificate { try certificates.authority.write(toFile: certificate, atomically: true, encoding: .utf8) }
    let loop = try EventLoop(name: "hostile")
    let listener = try HostileListener(row, certificates.credentials, port: port, on: loop)
    try await listener.open()
    print(certificates.authority, terminator: "")
    print("127.0.0.1:\(listener.port)")
    fflush(nil)
    let verdict = try await watch(row, listener, loop)
    print(try JSONLine.text(of: verdict))
    await listener.close()
    loop.stop()
    if verdict.result == .failed { throw ExitCode(1) }
  }

  /// Until the client has said how it ends, or was silent for as long as a case may last.
  private func watch(_ row: HostileCase, _ listener: HostileListener, _ loop: EventLoop) async throws -> CaseVerdict {
    while true {
      try await Task.sleep(for: .milliseconds(20))
      let seen = await listener.observe()
      guard let first = seen.firstDatagram, let last = seen.lastDatagram else { continue }
      let isLate = loop.now - first > row.limit
      // One more event may follow: a connection's end after a stream's.
      guard isLate || (seen.isDecided && loop.now - last > .milliseconds(200)) else { continue }
      // Who has sent nothing for a while is gone, or as good as gone.
      let isOver = seen.isDecided || loop.now - last > .seconds(1)
      return CaseVerdict(row, seen, succeeded: nil, isOver: isOver, time: last - first)
    }
  }
}
