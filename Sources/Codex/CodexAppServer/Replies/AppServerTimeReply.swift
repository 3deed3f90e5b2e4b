package import ResolveKitCore

/// The time, in whole seconds since 1970.
package struct AppServerTimeReply: AppServerReply {
  package var seconds: Int

  package init(seconds: Int) { self.seconds = seconds }

  package var result: JSONValue { ["currentTimeAt": .number(Double(seconds))] }
}
