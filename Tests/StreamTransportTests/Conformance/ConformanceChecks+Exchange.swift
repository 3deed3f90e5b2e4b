import HTTPTypes
import StreamTransport

extension ConformanceChecks {
  func getsABody() async throws {
    try await subject.run { exchange in
      try await exchange.respond(HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"]))
      try await exchange.write(Array("hello".utf8))
      try await exchange.finish()
    } body: { transport in
      let response = try await transport.send(HTTPRequest(path: "/"))
      try require(response.head.status == .ok, "status \(response.head.status)")
      try require(response.head.headerFields[.contentType] == "text/plain", "\(response.head.headerFields)")
      let body = try await response.body.collect(upTo: 100)
      try require(body == Array("hello".utf8), "body \(body)")
    }
  }

  func echoes(_ expected: [UInt8], _ sent: RequestBody) async throws {
    try await subject.run { exchange in
      let body = try await exchange.body.collect(upTo: 8 << 20)
      try await exchange.respond(HTTPResponse(status: .created))
      try await exchange.write(body)
      try await exchange.finish()
    } body: { transport in
      for _ in 0..<2 {
        let response = try await transport.send(HTTPRequest(.post, path: "/echo"), body: sent)
        try require(response.head.status == .created, "status \(response.head.status)")
        let body = try await response.body.collect(upTo: 8 << 20)
        try require(body == expected, "\(body.count) bytes of \(expected.count) came back, or other ones")
      }
    }
  }

  func passesMethodAndFields() async throws {
    try await subject.run { exchange in
      let request = exchange.request
      let seen =
        "\(request.method.rawValue) \(request.path ?? "") \(request.headerFields[values: .accept])"
        + " \(request.headerFields[.priority] ?? "none")"
      try await exchange.respond(
        HTTPResponse(status: .ok, headerFields: [.setCookie: "a=1", .setCookie: "b=2", .location: seen]))
      try await exchange.finish()
    } body: { transport in
      var request = HTTPRequest(.delete, path: "/x/y?z=%20&q", fields: [.accept: "a", .accept: "b"])
      request.priority = RequestPriority(urgency: 5, isIncremental: true)
      let response = try await transport.send(request)
      let seen = response.head.headerFields[.location]
      try require(seen == "DELETE /x/y?z=%20&q [\"a\", \"b\"] u=5, i", "the server saw \(seen ?? "nothing")")
      let cookies = response.head.headerFields[values: .setCookie]
      try require(cookies == ["a=1", "b=2"], "\(cookies)")
    }
  }

  func passesStatusWithoutBody() async throws {
    try await subject.run { exchange in
      try await exchange.respond(HTTPResponse(status: .noContent))
      try await exchange.finish()
    } body: { transport in
      for _ in 0..<3 {
        let response = try await transport.send(HTTPRequest(path: "/"))
        try require(response.head.status == .noContent, "status \(response.head.status)")
        try require(try await response.body.collect(upTo: 1) == [], "a body came")
      }
    }
  }

  func headHasNoBody() async throws {
    try await subject.run { exchange in
      try await exchange.respond(HTTPResponse(status: .ok, headerFields: [.contentLength: "5"]))
      if exchange.request.method != .head { try await exchange.write(Array("hello".utf8)) }
      try await exchange.finish()
    } body: { transport in
      for method in [HTTPRequest.Method.head, .get, .head] {
        let response = try await transport.send(HTTPRequest(method, path: "/"))
        let body = try await response.body.collect(upTo: 10)
        try require(body.count == (method == .head ? 0 : 5), "\(method) gave \(body.count) bytes")
      }
    }
  }

  func streamsBothWaysAtOnce() async throws {
    try await subject.run { exchange in
      try await exchange.respond(HTTPResponse(status: .ok))
      for try await chunk in exchange.body { try await exchange.write(chunk) }
      try await exchange.finish()
    } body: { transport in
      let (chunks, source) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
      source.yield([0])
      let response = try await transport.send(HTTPRequest(.post, path: "/"), body: .stream(chunks))
      var echoed: [UInt8] = []
      for try await chunk in response.body {
        echoed += chunk
        // Each byte is sent only when the one before came back.
        if echoed.count < 10 { source.yield([UInt8(echoed.count)]) } else { source.finish() }
      }
      try require(echoed == Array(0..<10), "\(echoed)")
    }
  }

  func deliversBytesAsTheyAreWritten() async throws {
    let (steps, step) = AsyncStream.makeStream(of: Void.self)
    try await subject.run { exchange in
      try await exchange.respond(HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"]))
      var permission = steps.makeAsyncIterator()
      for number in 0..<5 {
        try await exchange.write([UInt8(number)])
        await permission.next()
      }
      try await exchange.finish()
    } body: { transport in
      let response = try await transport.send(HTTPRequest(path: "/"))
      var seen: [UInt8] = []
      // The server writes the next byte only when this one was seen: buffering anywhere would hang.
      for try await chunk in response.body {
        seen += chunk
        step.yield()
      }
      try require(seen == [0, 1, 2, 3, 4], "\(seen)")
    }
  }

  func addsARequestID() async throws {
    let name = try HTTPField.Name("x-request-id").orThrow("a name")
    try await subject.run { exchange in
      let identifier = exchange.request.headerFields[name] ?? "none"
      try await exchange.respond(HTTPResponse(status: .ok, headerFields: [.location: identifier]))
      try await exchange.finish()
    } body: { transport in
      let given = try await transport.send(HTTPRequest(path: "/", fields: [name: "mine"]))
      try require(given.requestID == "mine", given.requestID)
      try require(given.head.headerFields[.location] == "mine", "\(given.head.headerFields)")
      let made = try await transport.send(HTTPRequest(path: "/"))
      try require(!made.requestID.isEmpty && made.requestID != "mine", made.requestID)
      try require(made.head.headerFields[.location] == made.requestID, "\(made.head.headerFields)")
    }
  }
}

extension Optional {
  func orThrow(_ what: String) throws(ConformanceFailure) -> Wrapped {
    guard let self else { throw ConformanceFailure(description: "no \(what)") }
    return self
  }
}
