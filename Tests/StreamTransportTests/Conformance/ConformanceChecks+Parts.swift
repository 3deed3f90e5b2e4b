import HTTPTypes
import StreamTransport

/// Checks of what surrounds a response: interim responses and trailers.
extension ConformanceChecks {
  func deliversInterimResponses() async throws {
    let link = try HTTPField.Name("link").orThrow("a name")
    try await subject.run { exchange in
      try await exchange.sendInformational(HTTPResponse(status: .init(code: 102)))
      try await exchange.sendInformational(
        HTTPResponse(status: .init(code: 103), headerFields: [link: "</a.css>; rel=preload"]))
      try await exchange.respond(HTTPResponse(status: .accepted, headerFields: [.contentLength: "1"]))
      if exchange.request.method != .head { try await exchange.write([7]) }
      try await exchange.finish()
    } body: { transport in
      for method in [HTTPRequest.Method.get, .head, .get] {
        let response = try await transport.send(HTTPRequest(method, path: "/"))
        try require(response.head.status == .accepted, "status \(response.head.status)")
        let interim = response.interimResponses
        try require(interim.map(\.status.code) == [102, 103], "\(interim)")
        try require(interim.last?.headerFields[link] == "</a.css>; rel=preload", "\(interim)")
        let body = try await response.body.collect(upTo: 1)
        try require(body == (method == .head ? [] : [7]), "\(method): another body came")
      }
    }
  }

  func refusesAFloodOfInterimResponses() async throws {
    try await subject.run { exchange in
      let count = exchange.request.path == "/flood" ? 17 : 16
      for _ in 0..<count { try await exchange.sendInformational(HTTPResponse(status: .init(code: 103))) }
      try await exchange.respond(HTTPResponse(status: .ok))
      try await exchange.finish()
    } body: { transport in
      do {
        _ = try await transport.send(HTTPRequest(path: "/flood"))
        throw ConformanceFailure(description: "17 interim responses were taken")
      } catch let error as TransportError {
        try require(error.code == .limitExceeded, "\(error.code): \(error)")
      }
      let response = try await transport.send(HTTPRequest(path: "/"))
      try require(response.interimResponses.count == 16, "\(response.interimResponses.count) of 16 came")
    }
  }

  func deliversTrailers() async throws {
    let (digest, status) = (try Self.name("x-digest"), try Self.name("x-status"))
    let (steps, step) = AsyncStream.makeStream(of: Void.self)
    try await subject.run { exchange in
      try await exchange.respond(HTTPResponse(status: .ok))
      if exchange.request.path == "/body" { try await exchange.write([1, 2, 3]) }
      guard exchange.request.path != "/none" else { return try await exchange.finish() }
      for await _ in steps { break }
      try await exchange.finish(trailers: [digest: "abc", status: "1", status: "2"])
    } body: { transport in
      for path in ["/body", "/empty", "/none", "/body"] {
        let response = try await transport.send(HTTPRequest(path: path))
        if path != "/none" {
          try require(response.body.trailers == nil, "\(path): trailers before the body's end")
          step.yield()
        }
        let body = try await response.body.collect(upTo: 3)
        try require(body == (path == "/body" ? [1, 2, 3] : []), "\(path): \(body)")
        let trailers = response.body.trailers
        let words = "\(path): \(String(describing: trailers))"
        try require(trailers?[digest] == (path == "/none" ? nil : "abc"), words)
        try require(trailers?[values: status] == (path == "/none" ? nil : ["1", "2"]), words)
      }
    }
  }

  func refusesTooLargeTrailers() async throws {
    let name = try Self.name("x-digest")
    try await subject.run { exchange in
      try await exchange.respond(HTTPResponse(status: .ok))
      try await exchange.write([1])
      let size = exchange.request.path == "/large" ? 100_000 : 10_000
      try await exchange.finish(trailers: [name: String(repeating: "a", count: size)])
    } body: { transport in
      let large = try await transport.send(HTTPRequest(path: "/large"))
      do {
        _ = try await large.body.collect(upTo: 1)
        throw ConformanceFailure(description: "trailers of 100 kB were taken")
      } catch let error as TransportError {
        try require(error.code == .limitExceeded, "\(error.code): \(error)")
        try require(large.body.trailers == nil, "trailers of a body that broke off")
      }
      let small = try await transport.send(HTTPRequest(path: "/small"))
      _ = try await small.body.collect(upTo: 1)
      try require(small.body.trailers?[name]?.utf8.count == 10_000, "trailers of 10 kB did not come")
    }
  }

  private static func name(_ name: String) throws -> HTTPField.Name {
    try HTTPField.Name(name).orThrow("the name \(name)")
  }
}
