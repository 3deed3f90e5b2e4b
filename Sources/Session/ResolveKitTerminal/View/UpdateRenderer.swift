package import ResolveKitSession

/// Turns updates into words. Pure, so that tests compare strings.
package protocol UpdateRenderer {
  mutating func render(_ update: ResolveKitRuntimeUpdate) -> [TerminalOutput]
}
