import HTTPTypes
import StreamTransport

/// The checks themselves, each a small server and what a client must see of it.
struct ConformanceChecks: Sendable {
  let subject: any ConformanceSubject

  func run(_ check: ConformanceCase) async throws {
    switch check {
    case .getsABody: try await getsABody()
    case .sendsBytes: try await echoes([UInt8]("hello".utf8), .bytes(Array("hello".utf8)))
    case .streamsARequestBody: try await echoes([1, 2, 3], .stream(Chunks([[1], [2], [3]])))
    case .echoesAMebibyte:
      var bytes = Array(0...UInt8.max)
      while bytes.count < 1 << 20 { bytes += bytes }
      try await echoes(bytes, .bytes(bytes))
    case .passesMethodAndFields: try await passesMethodAndFields()
    case .passesStatusWithoutBody: try await passesStatusWithoutBody()
    case .deliversInterimResponses: try await deliversInterimResponses()
    case .refusesAFloodOfInterimResponses: try await refusesAFloodOfInterimResponses()
    case .deliversTrailers: try await deliversTrailers()
    case .refusesTooLargeTrailers: try await refusesTooLargeTrailers()
    case .headHasNoBody: try await headHasNoBody()
    case .streamsBothWaysAtOnce: try await streamsBothWaysAtOnce()
    case .deliversBytesAsTheyAreWritten: try await deliversBytesAsTheyAreWritten()
    case .runsManyRequestsAtOnce: try await runsManyRequestsAtOnce()
    case .leavingTheBodyCancels: try await leavingTheBodyCancels()
    case .cancellingTheTaskCancels: try await cancellingTheTaskCancels()
    case .aBrokenOffBodyIsAnError: try await aBrokenOffBodyIsAnError()
    case .slowReaderHoldsTheServerBack: try await slowReaderHoldsTheServerBack()
    case .addsARequestID: try await addsARequestID()
    case .connectIsSharedAndCostsNothingAgain: try await connectIsSharedAndCostsNothingAgain()
    case .worksAgainAfterClose: try await worksAgainAfterClose()
    case .closeFailsWhatIsInFlight: try await closeFailsWhatIsInFlight()
    case .leavingItsScopeFailsWhatIsInFlight: try await leavingItsScopeFailsWhatIsInFlight()
    case .refusesConnectionFields:
      try await refuses(HTTPRequest(path: "/", fields: [.connection: "close"]))
    case .refusesABadPath: try await refuses(HTTPRequest(path: "/a b\r\nx: y"))
    case .refusesAnotherOrigin:
      try await refuses(HTTPRequest(method: .get, scheme: nil, authority: "other.example", path: "/"))
      try await refuses(HTTPRequest(method: .get, scheme: nil, authority: "127.0.0.1:1", path: "/"))
      try await refuses(HTTPRequest(method: .get, scheme: "ftp", authority: nil, path: "/"))
    case .aFailingRequestBodyIsAnError: try await aFailingRequestBodyIsAnError()
    }
  }
}

extension HTTPRequest {
  /// A request without scheme and authority, which the transport fills in.
  init(_ method: HTTPRequest.Method = .get, path: String, fields: HTTPFields = [:]) {
    self.init(method: method, scheme: nil, authority: nil, path: path, headerFields: fields)
  }
}

/// A request body of given chunks, which may end in an error.
struct Chunks: AsyncSequence, Sendable {
  let chunks: [[UInt8]]
  var error: (any Error)?

  init(_ chunks: [[UInt8]], error: (any Error)? = nil) {
    self.chunks = chunks
    self.error = error
  }

  struct Iterator: AsyncIteratorProtocol {
    var rest: ArraySlice<[UInt8]>
    let error: (any Error)?

    mutating func next() async throws -> [UInt8]? {
      if let chunk = rest.popFirst() { return chunk }
      if let error { throw error }
      return nil
    }

    mutating func next(isolation: isolated (any Actor)?) async throws(any Error) -> [UInt8]? {
      try await next()
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(rest: chunks[...], error: error) }
}
