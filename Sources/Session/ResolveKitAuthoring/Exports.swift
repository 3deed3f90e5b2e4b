// A file that declares a tool names the JSON and tool types, and Foundation's `Date` and its like; one import gives all.
@_exported public import Foundation
@_exported public import ResolveKitCore
