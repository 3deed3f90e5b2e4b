import Foundation
import HTTPTypes
import StreamTransport
import TestSupport
import Testing

@testable import latency_lab

@Suite(.timeLimit(.minutes(10)), .serialized)
struct OriginRoutesTests {
  private static let plan = ClientPlan(
    origin: "https://localhost", authorityFile: "-", offsetsNanoseconds: [[0, 0, 0, 0], [0]], leadMilliseconds: 0,
    deadlineMilliseconds: 10_000, eventBytes: 100)

  private static func answer(
    _ path: String, _ method: HTTPRequest.Method = .get, fields: HTTPFields = [:], plan: ClientPlan = plan
  ) async throws -> (status: Int, fields: HTTPFields, body: String) {
    let origin = try LabOrigin(plan: plan, secure: nil, plainPort: 0, logger: OriginUnderTest.silent)
    let port = try #require(try await origin.start().plain)
    let transport = HTTP1Transport(
      origin: Origin(scheme: .http, host: "127.0.0.1", port: port), tls: TLSOptions(), logger: OriginUnderTest.silent,
      configuration: .patient)
    let response = try await transport.send(
      HTTPRequest(method: method, scheme: nil, authority: nil, path: path, headerFields: fields))
    let body = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
    await transport.close()
    await origin.stop()
    return (response.head.status.code, response.head.headerFields, body)
  }

  @Test func itSaysThatItIsReady() async throws {
    #expect(try await Self.answer("/ready").status == 204)
  }

  @Test func streamsAreEventStreamsThatNobodyKeeps() async throws {
    let answer = try await Self.answer("/o/stream/0?start=\(PreciseTimer.now)")
    #expect(answer.status == 200)
    #expect(answer.fields[.contentType] == "text/event-stream")
    #expect(answer.fields[.cacheControl] == "no-store")
    #expect(answer.fields[try #require(HTTPField.Name("x-accel-buffering"))] == "no")
    #expect(answer.body.hasPrefix("event: opened\ndata: {}\n\nid: 0\ndata: {\"n\":0,\"t\":"))
    #expect(answer.body.hasSuffix("event: end\ndata: {}\n\n"))
    let blocks = answer.body.split(separator: "\n\n").dropFirst().dropLast()
    #expect(blocks.count == 4 && blocks.allSatisfy { $0.utf8.count == 98 })
  }

  @Test(
    arguments: [
      ("from=2", nil, 2), ("from=0", "0", 3), ("from=3", "0", 1), ("from=1", "2", 1), ("from=9", nil, 0),
      ("from=0", "rubbish", 4), ("x=1", "\(Int.max)", 4), ("from=\(Int.max)", nil, 0),
    ] as [(String, String?, Int)])
  func aStreamContinuesFromTheFurtherOfTwoCursors(_ query: String, _ lastEventID: String?, _ count: Int) async throws {
    var fields: HTTPFields = [:]
    if let name = HTTPField.Name("last-event-id") { fields[name] = lastEventID }
    let answer = try await Self.answer("/stream/0?start=\(PreciseTimer.now)&\(query)", fields: fields)
    #expect(answer.body.split(separator: "id: ").count - 1 == count)
  }

  @Test(arguments: [
    ("/stream/2?start=NOW", 404), ("/stream/x?start=NOW", 404), ("/stream/-1?start=NOW", 404),
    ("/stream/0", 400), ("/stream/0?start=PAST", 400), ("/stream/0?start=99999999999999999999", 400),
    ("/stream/0?start=\(Int64.max)", 400), ("/stream/0?start=NOW&from=-1", 400), ("/stream/0?start=NOW&from=x", 400),
    ("/bytes", 400), ("/bytes?count=0", 400), ("/bytes?count=1000000001", 400), ("/elsewhere", 404),
  ])
  func rubbishIsRefused(_ path: String, _ status: Int) async throws {
    // Of whatever machine, however short it has been up.
    let past = PreciseTimer.now - Int64(24 * 3600) * 1_000_000_000
    let path = path.replacing("NOW", with: "\(PreciseTimer.now)").replacing("PAST", with: "\(past)")
    #expect(try await Self.answer(path).status == status)
  }

  @Test func aStreamIsBrokenOffOnceAndContinuesWhenItIsAskedForAgain() async throws {
    var plan = Self.plan
    plan.abortSequence = 0
    let origin = try await OriginUnderTest(plan)
    let transport = HTTP3Transport(
      origin: try Origin(try #require(URL(string: origin.plan.origin))),
      tls: TLSOptions(trust: .certificateFile(origin.plan.authorityFile)), logger: OriginUnderTest.silent,
      configuration: .patient)
    let start = PreciseTimer.now
    func answer(_ stream: Int, from sequence: Int = 0) async throws -> (ids: Int, isWhole: Bool) {
      let response = try await transport.send(
        HTTPRequest(
          method: .get, scheme: nil, authority: nil, path: "/stream/\(stream)?start=\(start)&from=\(sequence)"))
      var bytes: [UInt8] = []
      do {
        for try await chunk in response.body { bytes += chunk }
      } catch is TransportError {
        return (String(decoding: bytes, as: UTF8.self).split(separator: "id: ").count - 1, false)
      }
      return (String(decoding: bytes, as: UTF8.self).split(separator: "id: ").count - 1, true)
    }
    let first = try await answer(0)
    // What the reset overtakes may be lost with it.
    #expect(!first.isWhole && first.ids <= 1)
    let again = try await answer(0)
    #expect(again.isWhole && again.ids == 4)
    // Another stream has its own break, which one that begins after it never meets.
    #expect(try await answer(1, from: 1).isWhole)
    #expect(try await !answer(1).isWhole)
    #expect(try await answer(1).isWhole)
    await transport.close()
    await origin.stop()
  }

  @Test func bytesAreCounted() async throws {
    #expect(try await Self.answer("/o/bytes?count=100001").body.utf8.count == 100_001)
  }

  @Test func aToolsResultIsTaken() async throws {
    #expect(try await Self.answer("/o/tool/0?start=\(PreciseTimer.now)", .post).status == 204)
    #expect(try await Self.answer("/tool/7?start=\(PreciseTimer.now)", .post).status == 404)
  }
}
