import ResolveKitUI

/// Turns updates into words. Pure, so that tests compare strings.
protocol Renderer {
  mutating func render(_ update: ResolveKitRuntimeUpdate) -> [Output]
}
