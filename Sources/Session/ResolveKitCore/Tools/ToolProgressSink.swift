/// The receiver of a running tool's reports.
///
/// A class, because a task-local value of a function type crashes in optimised builds where it is bound in another module
/// (Swift 6.3.1: `swift_task_localValuePush` gets no type).
package final class ToolProgressSink: Sendable {
  let take: @Sendable (ResolveKitToolProgress) -> Void

  package init(_ take: @escaping @Sendable (ResolveKitToolProgress) -> Void) { self.take = take }
}
