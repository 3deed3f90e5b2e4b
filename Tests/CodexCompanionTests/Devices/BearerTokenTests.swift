import JSONService
import Testing

@testable import CodexCompanion

@Suite struct BearerTokenTests {
  private static let token = String(repeating: "0a", count: 32)

  @Test(arguments: ["Bearer", "bearer", "BEARER"])
  func isReadFromAField(scheme: String) throws {
    #expect(try BearerToken(authorization: "\(scheme) \(Self.token)").text == Self.token)
  }

  @Test(arguments: [nil, ""])
  func aMissingOneIsReported(authorization: String?) throws {
    let error = try #require(throws: DeviceError.self) { try BearerToken(authorization: authorization) }
    #expect(error.message == "Missing bearer token")
    #expect(error.isUnauthorized)
  }

  @Test(arguments: [
    "Bearer", "Bearer ", "Bearer  \(Self.token)", "Basic \(Self.token)", Self.token, "Bearer \(Self.token)0",
    "Bearer \(Self.token.dropLast())",
    "Bearer \(Self.token.uppercased())", "Bearer \(Self.token) ", " Bearer \(Self.token)", "Bearer,\(Self.token)",
    "Bearer \(String(repeating: "0", count: 100_000))", "Bearer \u{0}",
  ])
  func whatIsNoneIsRefused(authorization: String) throws {
    let error = try #require(throws: DeviceError.self) { try BearerToken(authorization: authorization) }
    #expect(error.message == "Invalid bearer token")
  }

  @Test func randomOnesDiffer() {
    let tokens = Set((0..<100).map { _ in BearerToken(random: .system).text })
    #expect(tokens.count == 100)
    #expect(tokens.allSatisfy { BearerToken($0)?.text == $0 })
  }
}
