// An app with a session names types of all of these: tools and JSON, the configuration and the updates, stores of journals
// and decisions, and the transport's options. One import gives them.
@_exported public import ResolveKitCore
@_exported public import ResolveKitNetworking
@_exported public import ResolveKitSession
@_exported public import StreamTransport
