/// Repeats of what a response's stream has sent, in HTTP Datagrams beside it, so that a client need not wait for what a
/// packet lost.
package struct RepeatConfiguration: Hashable, Sendable {
  /// The responses that a client asks it for, and a server grants it to.
  package enum Responses: Hashable, Sendable {
    /// Streams of events: the request accepts `text/event-stream`, the response is one.
    case eventStreams
    /// All to GET.
    case all
  }

  package var responses: Responses
  /// A client's wish for packets with nothing but repeats, this long after what they repeat; nil for none.
  package var hedge: Duration?
  /// Whether a server begins with it when the connection has lost something, and leaves it where that stays alone.
  package var isAdaptive: Bool
  /// Whether a server sends packets with nothing but repeats where a client wishes it.
  package var allowsHedging: Bool

  package init(
    responses: Responses = .eventStreams, hedge: Duration? = nil, isAdaptive: Bool = true, allowsHedging: Bool = true
  ) {
    self.responses = responses
    self.hedge = hedge
    self.isAdaptive = isAdaptive
    self.allowsHedging = allowsHedging
  }
}

extension RepeatConfiguration {
  /// The terms that a request asks for; nil for none.
  func terms(for request: [HeaderField]) -> RepeatTerms? {
    func value(of name: String) -> String? { request.first { $0.name == name }?.value }
    guard value(of: ":method") == "GET" else { return nil }
    switch responses {
    case .all: break
    case .eventStreams: guard value(of: "accept")?.contains(Self.eventStream) == true else { return nil }
    }
    return RepeatTerms(hedge: hedge)
  }

  /// The terms of the request's wish that a response confirms; nil for none.
  func confirmation(of wish: RepeatTerms, in response: [HeaderField]) -> RepeatTerms? {
    func value(of name: String) -> String? { response.first { $0.name == name }?.value }
    guard Self.hasContent(value(of: ":status")) else { return nil }
    switch responses {
    case .all: break
    case .eventStreams: guard value(of: "content-type")?.hasPrefix(Self.eventStream) == true else { return nil }
    }
    return allowsHedging ? wish : RepeatTerms()
  }

  /// Whether a response of this status may have content (RFC 9110 § 6.4.1).
  static func hasContent(_ status: String?) -> Bool { status != "204" && status != "304" }

  private static let eventStream = "text/event-stream"
}
