import Foundation
import Logging
import StreamTransport
import Testing

@testable import ResolveKitSession

struct DeviceIdentityTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: "device-\(UUID().uuidString)").path()

  private func identity(
    _ url: String = "https://a.example/agent", given: String? = nil, reuses: Bool = true, folder: String? = nil
  ) throws -> String {
    let configuration = ResolveKitConfiguration(
      baseURL: try #require(URL(string: url)), apiKeyProvider: { nil }, deviceIDProvider: { given },
      reusesActiveSession: reuses)
    let folder = StateFolder(environment: ["XDG_STATE_HOME": folder ?? root])
    return DeviceIdentity(folder: folder, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      .resolve(configuration)
  }

  @Test func aNameIsKeptForEachServer() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let first = try identity()
    #expect(try identity() == first)
    #expect(try identity("https://a.example/other") != first)
    #expect(try identity("https://a.example:8443/agent") != first)
    #expect(UUID(uuidString: first) != nil && first == first.lowercased())
  }

  @Test func theAppsNameWins() throws {
    #expect(try identity(given: " ana \n") == "ana")
    #expect(try identity(given: "ana", reuses: false) == "ana")
    #expect(!FileManager.default.fileExists(atPath: root))
  }

  @Test func whoTakesNothingUpAgainIsNewEachTime() throws {
    #expect(try identity(reuses: false) != identity(reuses: false))
    #expect(!FileManager.default.fileExists(atPath: root))
  }

  @Test func aFolderThatCannotBeMadeGivesANameForNow() throws {
    #expect(UUID(uuidString: try identity(folder: "/dev/null/nowhere")) != nil)
  }
}
