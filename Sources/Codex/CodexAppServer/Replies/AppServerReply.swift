package import ResolveKitCore

/// The answer to a request of codex, in the shape that codex takes. What it cannot read counts as a refusal at best.
package protocol AppServerReply: Hashable, Sendable {
  var result: JSONValue { get }
}
