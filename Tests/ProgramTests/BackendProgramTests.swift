import Foundation
import Glibc
import Subprocess
import Testing

@testable import backend

/// `backend` where it cannot serve, and what it is told to delete.
@Suite(.timeLimit(.minutes(10)))
struct BackendProgramTests {
  @Test func aPortThatIsTakenIsAnError() async throws {
    let taken = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(taken) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        #expect(bind(taken, address, length) == 0 && listen(taken, 1) == 0)
        #expect(getsockname(taken, address, &length) == 0)
      }
    }
    let port = UInt16(bigEndian: address.sin_port)
    let outcome = try await BuiltProgram(name: "backend")
      .run(["serve", "--port", "\(port)", "--database", ":memory:"], environment: ["RESOLVEKIT_API_KEY": "k"])
    guard case .exited(let status) = outcome.status else {
      Issue.record("\(outcome.status): \(outcome.error)")
      return
    }
    #expect(status == 1)
    #expect(outcome.error.contains("Is the port taken?"))
  }

  @Test(arguments: [
    ("B321F62D-849C-4742-9986-2E0D615850BE", "b321f62d-849c-4742-9986-2e0d615850be"),
    ("b321f62d-849c-4742-9986-2e0d615850be", "b321f62d-849c-4742-9986-2e0d615850be"), ("Other", "Other"),
  ])
  func sessionsAreDeletedHoweverTheirIDsAreWritten(_ text: String, _ id: String) {
    #expect(DeleteCommand.canonical(text) == id)
  }
}
