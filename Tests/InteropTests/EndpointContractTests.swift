import HTTP3Engine
import StreamTransport
import Testing

@testable import interop_endpoint

/// The endpoint's reading of its environment.
@Suite struct EndpointContractTests {
  private static let client = ["ROLE": "client", "TESTCASE": "transfer", "REQUESTS": "https://server4:443/a"]

  private static func contract(_ changes: [String: String?]) throws -> EndpointContract {
    var environment: [String: String] = client
    for (name, value) in changes { environment[name] = value }
    return try EndpointContract(environment: environment)
  }

  @Test func theRunnersFoldersAreTheDefault() throws {
    let contract = try Self.contract([:])
    #expect(contract.role == .client)
    #expect(contract.testCase == .transfer)
    #expect(contract.mapping == .http09)
    #expect([contract.www, contract.downloads, contract.certificates] == ["/www", "/downloads", "/certs"])
    #expect(contract.port == 443)
    #expect(contract.keyLogFile == nil)
    #expect(contract.qlogDirectory == nil)
  }

  @Test func foldersAndPortCanBeMoved() throws {
    let contract = try Self.contract([
      "ROLE": "server", "REQUESTS": nil, "WWW": "/a", "DOWNLOADS": "/b", "CERTS": "/c", "PORT": "4433",
      "ADDRESS": "127.0.0.1", "SSLKEYLOGFILE": "/k", "QLOGDIR": "/q",
    ])
    #expect(contract.role == .server)
    #expect([contract.www, contract.downloads, contract.certificates] == ["/a", "/b", "/c"])
    #expect(contract.port == 4_433)
    #expect(contract.address == "127.0.0.1")
    #expect(contract.keyLogFile == "/k")
    #expect(contract.qlogDirectory == "/q")
  }

  /// The container sets what is not given to nothing.
  @Test func emptyValuesCountAsAbsent() throws {
    let contract = try Self.contract(["SSLKEYLOGFILE": "", "QLOGDIR": "", "CLIENT_PARAMS": "", "WWW": "", "PORT": ""])
    #expect(contract == (try Self.contract([:])))
  }

  @Test func http3IsForItsOwnCaseAndOnRequest() throws {
    #expect(try Self.contract(["TESTCASE": "http3"]).mapping == .http3)
    #expect(try Self.contract(["CLIENT_PARAMS": "--protocol h3"]).mapping == .http3)
    #expect(try Self.contract(["CLIENT_PARAMS": "  --protocol   hq "]).mapping == .http09)
    #expect(try Self.contract(["SERVER_PARAMS": "--protocol h3"]).mapping == .http09)
    let server = ["ROLE": "server", "SERVER_PARAMS": "--protocol h3", "CLIENT_PARAMS": "--protocol hq"]
    #expect(try Self.contract(server).mapping == .http3)
  }

  @Test(arguments: EndpointCase.allCases)
  func casesAreKnownByTheRunnersNames(_ testCase: EndpointCase) throws {
    #expect(try Self.contract(["TESTCASE": testCase.rawValue]).testCase == testCase)
  }

  /// The test case is examined before anything else: the runner tries a name that nobody knows, with nothing else in
  /// place.
  @Test(arguments: ["", "xkcdjqwe", "Handshake", "handshake ", "versionnegotiation", "goodput", "transfer\0"])
  func unknownCasesAreUnsupported(_ name: String) {
    for environment in [["TESTCASE": name], ["TESTCASE": name, "ROLE": "nobody", "REQUESTS": "?", "PORT": "x"]] {
      #expect(throws: EndpointContract.Refusal.unsupported) { try EndpointContract(environment: environment) }
    }
    #expect(throws: EndpointContract.Refusal.unsupported) { try EndpointContract(environment: [:]) }
  }

  @Test(arguments: [
    ["ROLE": "observer"], ["PORT": "65536"], ["PORT": "-1"], ["PORT": "http"], ["CLIENT_PARAMS": "--protocol"],
    ["CLIENT_PARAMS": "--protocol h2"], ["CLIENT_PARAMS": "-v"], ["REQUESTS": ""], ["REQUESTS": "  "],
    ["REQUESTS": "http://server4/a"], ["REQUESTS": "server4/a"], ["REQUESTS": "https://server4:443/"],
    ["REQUESTS": "https://server4:443"], ["REQUESTS": "https://server4:443/a/"], ["REQUESTS": "https://server4/.."],
    ["REQUESTS": "https://server4/%2e%2e"], ["REQUESTS": "https://server4/a%2Fb"],
    ["REQUESTS": "https://server4/a%00b"], ["REQUESTS": "https://server4/."], ["REQUESTS": "https://server4:0/a"],
    ["REQUESTS": "https://server4/a https://server4/b/a"],
    ["REQUESTS": "https://server4/" + String(repeating: "x", count: 256)],
  ])
  func whatIsWrongIsSaidInASentence(_ change: [String: String]) throws {
    do {
      _ = try Self.contract(change)
      Issue.record("\(change) was taken")
    } catch EndpointContract.Refusal.invalid(let sentence) {
      #expect(sentence.hasSuffix("."))
      #expect(sentence.count > 20)
    }
  }

  @Test func filesAreNamedByTheLastComponentAlone() throws {
    let requests = try Self.contract([
      "REQUESTS": "https://server4:443/a https://server6/deep/er/b https://[::1]:4433/c%20d?x=/e"
    ]).requests
    #expect(requests.map(\.fileName) == ["a", "b", "c d"])
    #expect(requests.map(\.path) == ["/a", "/deep/er/b", "/c%20d"])
    #expect(requests.map(\.origin.host) == ["server4", "server6", "::1"])
    #expect(requests.map(\.origin.port) == [443, 443, 4_433])
    let longest = String(repeating: "n", count: 250)
    #expect(try Self.contract(["REQUESTS": "https://server4/\(longest)"]).requests[0].fileName == longest)
  }
}
