import HTTPTypes
import Logging
import ResolveKitCore
import StreamTransport
import TestSupport
import Testing

@testable import CodexRemoteClient

@Suite struct RemotePairingTests {
  private static let nonce = String(repeating: "0f", count: 16)
  private static let pin = String(repeating: "ab", count: 32)
  private static func code(_ more: String = "", scheme: String = "https", host: String = "desk.test") -> String {
    "codexremote://pair?scheme=\(scheme)&host=\(host)&port=8787&pairingId=p-1&nonce=\(nonce)\(more)"
  }

  private func pair(_ code: String, _ status: Int, _ body: String) async throws -> (RemoteHost, [UInt8]) {
    let transport = ScriptedTransport { _ in
      .response(HTTPResponse(status: .init(code: status)), [.bytes(Array(body.utf8)), .end])
    }
    let host = try await RemotePairing(code: code).pair(
      deviceName: "laptop", transport: .custom(transport), logger: Logger(label: "t") { _ in SwiftLogNoOpLogHandler() })
    return (host, transport.requests.first?.body ?? [])
  }

  @Test func aCodeWithAndWithoutAPinIsTaken() async throws {
    let answer = #"{"deviceId":"d","token":"t0","scheme":"https","renewalToken":"r0","expiresAt":5}"#
    let (host, body) = try await pair(Self.code("&fingerprint=\(Self.pin)"), 200, answer)
    #expect(host.fingerprint == Self.pin)
    #expect(host.origin == Origin(scheme: .https, host: "desk.test", port: 8_787))
    #expect(host.credential == RemoteCredential(token: "t0", renewalToken: "r0", expiresAt: 5))
    let members = try JSONValue(parsing: body).objectValue
    #expect(members?["client"] == "agent-stream")
    #expect(members?["nonce"] == .string(Self.nonce))
    let (other, _) = try await pair(Self.code(), 200, #"{"deviceId":"d","token":"t0","scheme":"https"}"#)
    #expect(other.fingerprint == nil)
    #expect(other.credential.renewalToken == nil)
  }

  @Test func aCodeIsFoundInWhatWasPasted() throws {
    let pairing = try RemotePairing(code: "█▀▀█\n\(Self.code())\nValid until noon\n")
    #expect(pairing.origin.host == "desk.test")
  }

  @Test func plaintextIsRefusedButByNameOnThisMachine() throws {
    for (code, allows, isTaken) in [
      (Self.code(scheme: "http"), false, false), (Self.code(scheme: "http"), true, false),
      (Self.code(scheme: "http", host: "127.0.0.1"), false, false),
      (Self.code(scheme: "http", host: "127.0.0.1"), true, true),
    ] {
      #expect(((try? RemotePairing(code: code, allowsPlaintext: allows)) != nil) == isTaken, "\(code) \(allows)")
    }
  }

  @Test(arguments: ["", "hello", "codexremote://pair?host=h", "codexremote://pair?host=h&pairingId=p&nonce=zz"])
  func whatIsNoCodeIsRefused(_ text: String) {
    #expect(throws: RemoteError.self) { try RemotePairing(code: text) }
  }

  @Test(arguments: [
    (400, #"{"error":"Invalid or expired pairing session"}"#, RemoteError.Code.refused),
    (403, #"{"error":"Pairing denied or timed out"}"#, .forbidden), (429, "{}", .tooManyRequests), (500, "", .server),
    (200, "[]", .malformed), (200, "{}", .malformed), (200, #"{"deviceId":"d","token":""}"#, .malformed),
    (200, #"{"deviceId":"d","token":"a\r\nb"}"#, .malformed), (302, "", .malformed),
  ])
  func aRefusalHasItsCode(_ status: Int, _ body: String, _ code: RemoteError.Code) async {
    let error = await #expect(throws: RemoteError.self) { try await pair(Self.code(), status, body) }
    #expect(error?.code == code)
  }
}
