import EnginePair
import HTTP3Engine

/// A stream, by what it is for.
enum Place: Hashable, Sendable {
  case control
  case encoder
  case decoder
  /// The client's first request.
  case request
  case other(Int)
}

/// One thing that the server does, or waits for, with one client.
enum Step: Sendable {
  // MARK: Before the handshake
  /// Keeps the client's datagrams back.
  case hold
  /// Until this many have come.
  case untilDatagram(Int)
  /// Hands over what was kept back, and all that follows.
  case accept
  /// Hands over the datagram that came last, and all that follows.
  case acceptLatest
  /// Until the first packet of a connection was taken.
  case untilConnection
  case parameter(ForgedParameter)
  /// In the next packet of the handshake.
  case forge([UInt8], inInitial: Bool)

  // MARK: Datagrams
  /// One of its own, made with the client's first datagrams; nil sends nothing.
  case inject(@Sendable (_ datagrams: [[UInt8]]) -> [UInt8]?)
  /// From now on in answer to each datagram.
  case injectAlways(@Sendable (_ datagram: [UInt8]) -> [UInt8]?)
  /// From now on nothing goes either way.
  case mute
  /// Datagrams leave from another port, or from the right one again.
  case move(toOtherPort: Bool)
  /// All connections are forgotten, as after a restart.
  case forget

  // MARK: HTTP/3
  /// Waits for the handshake's end and opens the control stream, with these bytes, and both of QPACK.
  case greet([UInt8] = Wire.plainSettings)
  case untilHandshake
  case untilRequest
  /// The case says nothing of a client whose request was not early data.
  case requireEarlyData
  case pause(Duration)
  /// A new unidirectional stream.
  case open(Place, [UInt8])
  case write([UInt8], on: Place, isLast: Bool = false)
  /// Bytes that depend on what the client allows; nil where the case says nothing of such a client.
  case compress(Place, isLast: Bool = false, @Sendable (ClientSettings) -> [UInt8]?)
  case reset(Place, ApplicationErrorCode)
  case stop(Place, ApplicationErrorCode)
  /// Frames in a 1-RTT packet of their own, and bits set in its header.
  case frames([UInt8], bits: UInt8 = 0)
  /// A whole response to the request.
  case answer
  case close(ApplicationErrorCode)
}
