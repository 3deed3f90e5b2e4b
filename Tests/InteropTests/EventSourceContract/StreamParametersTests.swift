import EventStream
import Foundation
import HTTPTypes
import StreamTransport
import Testing

@testable import sse_contract_service

@Suite struct StreamParametersTests {
  private func parameters(_ json: String) throws -> StreamParameters {
    try JSONDecoder().decode(StreamParameters.self, from: Data(json.utf8))
  }

  private func parameters(with members: String) throws -> StreamParameters {
    try parameters(#"{"streamUrl":"http://localhost:8111/s","callbackUrl":"http://localhost:8111/c",\#(members)}"#)
  }

  @Test func whatIsNotReportedIsTheClientsOwn() throws {
    let parameters = try parameters(
      with: #""tag":"a/b","initialDelayMs":null,"readTimeoutMs":null,"unknown":[1]"#)
    #expect(parameters.origin == Origin(scheme: .http, host: "localhost", port: 8111))
    #expect(parameters.callbackURL == "http://localhost:8111/c")
    #expect(parameters.tag == "a/b")
    let standard = EventSourceConfiguration()
    #expect(parameters.configuration.backoff == standard.backoff)
    #expect(parameters.configuration.idleTimeout == standard.idleTimeout)
    #expect(parameters.configuration.lastEventID.isEmpty)
    let request = parameters.request
    #expect(request.method == .get && request.path == "/s" && request.fields.isEmpty)
    guard case .none = request.body else { return #expect(Bool(false), "there is a body") }
  }

  @Test func allThatCanBeReportedIsTaken() throws {
    let parameters = try parameters(
      with: #"""
        "initialDelayMs":1500,"readTimeoutMs":500,"lastEventId":"a\u00e9","method":"REPORT","body":"{}\n",
        "headers":{"content-type":"application/json","x-a":"b"}
        """#)
    #expect(parameters.configuration.backoff.floor == .milliseconds(1_500))
    #expect(parameters.configuration.backoff.base == .milliseconds(1_500))
    #expect(parameters.configuration.idleTimeout == .milliseconds(500))
    #expect(parameters.configuration.lastEventID == "aé")
    let request = parameters.request
    let name = try #require(HTTPField.Name("x-a"))
    #expect(request.method.rawValue == "REPORT")
    #expect(request.fields[.contentType] == "application/json" && request.fields[name] == "b")
    guard case .bytes(Array("{}\n".utf8)) = request.body else { return #expect(Bool(false), "the body differs") }
  }

  @Test func aBodyWithoutATypeIsText() throws {
    let request = try parameters(with: #""method":"POST","body":"x""#).request
    #expect(request.fields[.contentType] == "text/plain; charset=utf-8")
  }

  @Test func noDelayStillBacksOff() throws {
    let backoff = try parameters(with: #""initialDelayMs":0"#).configuration.backoff
    #expect(backoff.floor == .zero && backoff.base > .zero)
  }

  @Test(arguments: [
    ("http://h", "/"), ("http://h/a%20b?c=%2F&d", "/a%20b?c=%2F&d"), ("https://user:word@h/x#part", "/x"),
    ("http://h?q", "/?q"),
  ])
  func thePathIsSentAsItStands(url: String, path: String) throws {
    let parameters = try parameters(#"{"streamUrl":"\#(url)","callbackUrl":"http://h/c"}"#)
    #expect(parameters.path == path)
  }

  @Test(arguments: [
    #"{}"#, #"[]"#, #"{"streamUrl":"http://h/"}"#, #"{"callbackUrl":"http://h/"}"#,
    #"{"streamUrl":"/s","callbackUrl":"http://h/"}"#, #"{"streamUrl":"ftp://h/","callbackUrl":"http://h/"}"#,
    #"{"streamUrl":"http://h:0/","callbackUrl":"http://h/"}"#, #"{"streamUrl":"http://h/","callbackUrl":"c"}"#,
    #"{"streamUrl":1,"callbackUrl":"http://h/"}"#,
  ])
  func refusesWhatIsNoOrder(json: String) {
    #expect(throws: DecodingError.self) { try parameters(json) }
  }

  @Test(arguments: [
    #""initialDelayMs":-1"#, #""initialDelayMs":1.5"#, #""initialDelayMs":9e99"#, #""initialDelayMs":"0""#,
    #""initialDelayMs":86400001"#, #""readTimeoutMs":0"#, #""readTimeoutMs":-1"#, #""method":"A B""#, #""method":"""#,
    #""method":"CONNECT""#, #""method":1"#, #""headers":{"a b":"c"}"#, #""headers":{"a":"b\r\nc: d"}"#,
    #""headers":{"a":1}"#, #""headers":{"connection":"close"}"#, #""headers":{"host":"h"}"#, #""body":{}"#,
    #""lastEventId":1"#,
  ])
  func refusesWhatNoClientCanDo(members: String) {
    #expect(throws: DecodingError.self) { try parameters(with: members) }
  }
}
