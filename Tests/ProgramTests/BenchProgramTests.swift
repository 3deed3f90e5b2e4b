import Foundation
import StreamTransport
import Subprocess
import Testing

/// The parts of `bench` that run as processes of their own.
@Suite(.timeLimit(.minutes(10)))
struct BenchProgramTests {
  /// The pipe that `bench` holds open is closed by the kernel where it is killed.
  @Test func aServerEndsWithTheBenchmarkThatStartedIt() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "agent-stream-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let certificate = try DevelopmentCertificate.make()
    let (chain, key) = (folder.appending(path: "chain.pem"), folder.appending(path: "key.pem"))
    try Data(certificate.certificatePEM.utf8).write(to: chain)
    try Data(certificate.privateKeyPEM.utf8).write(to: key)
    let outcome = try await BuiltProgram(name: "bench").run(
      ["transport-peer", "crowd-server", chain.path, key.path, folder.appending(path: "status.json").path],
      environment: ["AGENT_STREAM_BENCH_PARENT": "1"])
    #expect(outcome.status == .exited(1) && outcome.error.isEmpty)
  }
}
