import Testing

@testable import interop_endpoint

/// The exit codes, which are all that the runner hears of an endpoint.
@Suite struct EndpointExitTests {
  @Test(arguments: ["client", "server", ""])
  func anUnknownCaseIs127(_ role: String) async {
    let code = await InteropEndpoint.run(environment: ["ROLE": role, "TESTCASE": "qwhgzsdfk"])
    #expect(code == 127)
    #expect(InteropEndpoint.supports(environment: ["TESTCASE": "qwhgzsdfk"]) == 127)
    #expect(InteropEndpoint.supports(environment: ["TESTCASE": "handshake"]) == 0)
  }

  @Test(arguments: [
    ["ROLE": "client", "TESTCASE": "handshake"],
    ["ROLE": "client", "TESTCASE": "handshake", "REQUESTS": "https://127.0.0.1:1/a", "CERTS": "/nowhere"],
    ["ROLE": "server", "TESTCASE": "handshake", "CERTS": "/nowhere"],
    ["ROLE": "neither", "TESTCASE": "handshake"],
  ])
  func whatCannotBeDoneIs1(_ environment: [String: String]) async {
    #expect(await InteropEndpoint.run(environment: environment) == 1)
  }
}
