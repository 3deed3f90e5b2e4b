import EventStream
public import Foundation
import HTTPTypes
public import Logging
public import StreamTransport

/// A session's event stream, kept open over lost connections and clean ends.
///
/// The server's cap on a stream's length is routine: a clean end is resumed at once. What ends the stream permanently is
/// a status other than 200 that asking again won't change; it is thrown as ``ResolveKitAPIClientError``.
public struct ResolveKitEventStreamClient: Sendable {
  let base: ResolveKitBasePath
  let transport: any HTTPTransport
  let apiKeyProvider: @Sendable () -> String?
  let clock: TransportClock
  let logger: Logger

  /// - Parameters:
  ///   - baseURL: its path, such as `/agent`, is put before the path of the stream.
  ///   - apiKeyProvider: asked before each attempt; nil and the empty string give `missingAPIKey`.
  public init(
    baseURL: URL, transport: any HTTPTransport, apiKeyProvider: @escaping @Sendable () -> String?,
    logger: Logger = Logger(label: "resolvekit.events")
  ) {
    self.init(
      baseURL: baseURL, transport: transport, apiKeyProvider: apiKeyProvider, clock: TransportClock.continuous,
      logger: logger)
  }

  package init(
    baseURL: URL, transport: any HTTPTransport, apiKeyProvider: @escaping @Sendable () -> String?,
    clock: TransportClock, logger: Logger
  ) {
    base = ResolveKitBasePath(baseURL)
    self.transport = transport
    self.apiKeyProvider = apiKeyProvider
    self.clock = clock
    self.logger = logger
  }

  /// The stream after `cursor`, nil for all that the server keeps; nothing is sent before it is read.
  ///
  /// - Parameters:
  ///   - eventsPath: the session's `events_url`, a path.
  ///   - onHeartbeat: called at every sign of life: events, and the comments that the server sends in between.
  public func stream(
    eventsPath: String, chatCapabilityToken: String, cursor: String? = nil,
    onHeartbeat: (@Sendable () -> Void)? = nil
  ) -> ResolveKitEventStream {
    stream(
      eventsPath: eventsPath, cursor: cursor, onHeartbeat: onHeartbeat,
      capabilityProvider: { chatCapabilityToken })
  }

  /// The same with a token that is asked for before each attempt, since it may have been renewed in between.
  public func stream(
    eventsPath: String, cursor: String? = nil, onHeartbeat: (@Sendable () -> Void)? = nil,
    capabilityProvider: @escaping @Sendable () async -> String
  ) -> ResolveKitEventStream {
    var configuration = EventSourceConfiguration()
    // The public server reads the parameter alone; proxies and other servers know the field.
    configuration.cursor = .queryAndLastEventID(name: "cursor")
    configuration.lastEventID = cursor ?? ""
    configuration.clock = clock
    let source = EventSourceClient(transport: transport, configuration: configuration, logger: logger)
    let path = base.target(eventsPath)
    return ResolveKitEventStream(
      updates: source.updates { [apiKeyProvider] _ in
        guard let key = apiKeyProvider(), !key.isEmpty else { throw ResolveKitAPIClientError.missingAPIKey }
        var fields = HTTPFields()
        fields[.authorization] = "Bearer \(key)"
        fields[.chatCapability] = await capabilityProvider()
        fields[.cacheControl] = "no-cache"
        return EventSourceRequest(path: path, fields: fields)
      }, onHeartbeat: onHeartbeat)
  }
}
