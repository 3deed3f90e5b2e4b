import Foundation
import StreamTransport

/// The event-stream cases' entry: takes the environment of the interoperability contract, answers the exit code.
enum StreamingEndpoint {
  /// Whether `TESTCASE` is one of these.
  static func knows(_ testCase: String) -> Bool {
    StreamingTestCase(rawValue: testCase) != nil
  }

  /// Runs the client of `TESTCASE`; 0 done, 1 failed, 127 for a case that it does not know.
  static func run(_ environment: [String: String]) async -> Int32 {
    guard let name = environment["TESTCASE"], let test = StreamingTestCase(rawValue: name) else { return 127 }
    // As the contract has it: empty is as good as not there.
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let certificates = value("CERTS") ?? "/certs"
    let settings = StreamingClient.Settings(
      urls: (value("REQUESTS") ?? "").split(whereSeparator: \.isWhitespace).map(String.init),
      downloads: value("DOWNLOADS") ?? "/downloads", trust: .certificateFile(certificates + "/ca.pem"),
      keyLogFile: value("SSLKEYLOGFILE"), qlogDirectory: value("QLOGDIR"))
    do {
      return try await StreamingClient(test, settings).run() ? 0 : 1
    } catch {
      try? FileHandle.standardError.write(contentsOf: Data("interop-endpoint: \(error)\n".utf8))
      return 1
    }
  }
}
