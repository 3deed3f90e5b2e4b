import ArgumentParser
import Foundation
import Logging
import ServerProgram
import StreamTransport
import Testing

@testable import workers

/// The servers' common command line, and that of `workers`.
struct ServerProgramTests {
  @Test(arguments: ["127.0.0.1", "0.0.0.0", "::", "::1", "2001:db8::7"])
  func addressesAreNumbers(_ text: String) throws {
    try NumericAddress.check(text)
    _ = try ServeCommand.parse(["--address", text])
  }

  @Test(arguments: ["", "localhost", "127.0.0", "127.0.0.1:80", "[::1]", "::1%lo", "127.0.0.1\n"])
  func whatIsNoneIsRefusedBeforeAnythingIsMade(_ text: String) {
    #expect(throws: ValidationError.self) { try NumericAddress.check(text) }
    #expect(throws: (any Error).self) { try ServeCommand.parse(["--address", text]) }
  }

  @Test(arguments: [
    ["--port", "65536"], ["--certificate", "c.pem"], ["--private-key", "k.pem"], ["--log-level", "loud"],
    ["--client-authorities", "ca.pem"],
    ["--request-timeout", "0"], ["--request-timeout", "nan"], ["--request-rate", "0"], ["--kept-events", "0"],
    ["--dialect", "french"], ["--adapter", "remote"], ["--qlog-one-of", "2"], ["--qlog", "d", "--qlog-one-of", "0"],
    ["--qlog", "d", "--qlog-files", "0"], ["--qlog", "d", "--qlog-megabytes", "1000001"],
  ])
  func badOptionsAreRefused(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try ServeCommand.parse(arguments) }
  }

  @Test func tracesAreSampledAndKeptAsAsked() throws {
    #expect(try QlogOptions.parse(["--qlog", "d"]).sampling == QlogSampling())
    let options = try QlogOptions.parse(
      ["--qlog", "d", "--qlog-one-of", "100", "--qlog-files", "9", "--qlog-megabytes", "2"])
    #expect(options.qlog == "d" && options.sampling.oneOf == 100)
    #expect(options.sampling.maximumFiles == 9 && options.sampling.maximumBytes == 2 << 20)
  }

  @Test func aCertificateIsMadeForEachAddressAndFilesAreRead() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path(percentEncoded: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let state = StateFolder(environment: ["XDG_STATE_HOME": folder])
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let local = try CertificateOptions.parse([]).choose(address: "127.0.0.1", state: state, logger: logger)
    let everywhere = try CertificateOptions.parse([]).choose(address: "::", state: state, logger: logger)
    #expect(everywhere.identities == local.identities)
    let other = try CertificateOptions.parse([]).choose(address: "192.0.2.7", state: state, logger: logger)
    #expect(other.identities != local.identities)
    #expect(other.lines[0].hasSuffix("/192.0.2.7/certificate.pem"))
    let files = ["certificate", "private-key"].map { folder + "/agent-stream/\($0).pem" }
    let given = try CertificateOptions.parse(["--certificate", files[0], "--private-key", files[1]])
      .choose(address: "127.0.0.1", state: state, logger: logger)
    #expect(given.identities == local.identities && given.lines.isEmpty)
    let pair = ["--certificate", files[0], "--private-key", files[1]]
    let two = try CertificateOptions.parse(pair + pair).choose(address: "127.0.0.1", state: state, logger: logger)
    #expect(two.identities == local.identities + local.identities)
    #expect(throws: (any Error).self) { try CertificateOptions.parse(pair + ["--certificate", files[0]]) }
    let missing = try CertificateOptions.parse(["--certificate", "/nowhere.pem", "--private-key", files[1]])
    #expect(throws: ValidationError.self) {
      try missing.choose(address: "127.0.0.1", state: state, logger: logger)
    }
    #expect(local.files == nil && given.files != nil)
    let asking = try CertificateOptions.parse(pair + ["--client-authorities", files[0]])
      .choose(address: "127.0.0.1", state: state, logger: logger)
    #expect(asking.clients?.demand == .required && given.clients == nil)
    #expect(asking.clients?.authoritiesPEM == local.identities.first?.certificatePEM)
    let unreadable = try CertificateOptions.parse(pair + ["--client-authorities", "/nowhere.pem"])
    #expect(throws: ValidationError.self) {
      try unreadable.choose(address: "127.0.0.1", state: state, logger: logger)
    }
    #expect(throws: ValidationError.self) { try PEMFile.read(folder + "/none.pem") }
  }

  @Test func theLineThatScriptsWaitForIsAURL() {
    #expect(
      AnnouncedServer.line(address: "::1", port: 8_790) == "listening on https://[::1]:8790 (HTTP/3, HTTP/2, HTTP/1.1)")
  }
}
