/// Hands on the content of a client's responses as their streams and the repeats beside them bring it.
final class RepeatReceiver {
  private let requests: RequestStreams
  private let configuration: RepeatConfiguration
  /// The disagreement of a response's stream and its repeats; taken once the library's call has returned.
  private var breach: HTTP3Error?
  /// Content that was handed on before the stream brought it, in bytes.
  private(set) var earlyCount: UInt64 = 0

  /// Nil where no repeats are asked for.
  init?(_ requests: RequestStreams, _ configuration: RepeatConfiguration?, isServer: Bool) {
    guard !isServer, let configuration else { return nil }
    self.requests = requests
    self.configuration = configuration
  }

  // MARK: Agreement

  /// The field by which a request asks; nil for one that does not.
  func field(for request: [HeaderField]) -> HeaderField? { configuration.terms(for: request)?.field }

  /// The request was sent with the field.
  func begin(_ stream: StreamState) { stream.assembly = RepeatAssembly() }

  /// Takes the word of a response's head. What was repeated of its content before is handed on behind the head.
  ///
  /// - Returns: false for a server that repeats what it did not confirm.
  func settle(_ stream: StreamState, isConfirmed: Bool) -> Bool {
    guard !isConfirmed else { return true }
    defer { stream.assembly = nil }
    return stream.assembly?.isEmpty ?? true
  }

  /// The head was handed on.
  func headWasHandedOn(_ stream: StreamState) {
    if let bytes = stream.assembly?.begin() { forwardEarly(bytes, on: stream) }
  }

  // MARK: Content

  /// Hands on what the stream has brought and no repeat before it, in one of the library's calls. Credit is given for bytes
  /// that the owner has taken and the stream has brought, whichever comes last.
  func receiveStream(_ bytes: UnsafeBufferPointer<UInt8>, on stream: StreamState) {
    guard breach == nil else { return }
    let before = stream.creditable
    do throws(RepeatAssembly.Breach) {
      guard let (known, following) = try stream.assembly?.receiveStream(bytes) else { return }
      requests.forward(UnsafeBufferPointer(rebasing: bytes.dropFirst(known)), on: stream)
      forwardEarly(following, on: stream)
      requests.quic.credit(bytes.count - (stream.creditable - before), on: stream.id)
    } catch {
      breach = Self.error(error)
    }
  }

  /// Takes a repeat.
  func receive(_ payload: [UInt8], on stream: StreamState) throws(HTTP3Error) {
    guard let range = ContentRange(payload: payload) else {
      throw HTTP3Error(.application(.datagramError), "The server sent a repeat that holds no content.")
    }
    do throws(RepeatAssembly.Breach) {
      if let bytes = try stream.assembly?.receive(range) { forwardEarly(bytes, on: stream) }
    } catch {
      throw Self.error(error)
    }
  }

  /// The stream has brought all of a message; false where that is not all that was repeated. In one of the library's calls.
  func end(_ stream: StreamState) -> Bool {
    guard breach == nil else { return false }
    do throws(RepeatAssembly.Breach) {
      try stream.assembly?.end()
      return true
    } catch {
      breach = Self.error(error)
      return false
    }
  }

  /// The disagreement that came to light in the library's call; nil for none.
  func takeBreach() -> HTTP3Error? {
    defer { breach = nil }
    return breach
  }

  private func forwardEarly(_ bytes: [UInt8], on stream: StreamState) {
    earlyCount += UInt64(bytes.count)
    bytes.withUnsafeBufferPointer { requests.forward($0, on: stream) }
  }

  private static func error(_ breach: RepeatAssembly.Breach) -> HTTP3Error {
    let message =
      switch breach {
      case .difference: "The server repeated content that its stream does not have."
      case .beyondEnd: "The server repeated content beyond the end of its response."
      }
    return HTTP3Error(.application(.datagramError), message)
  }
}
