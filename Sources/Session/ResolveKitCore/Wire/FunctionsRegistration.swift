/// Body of `PUT /v1/functions/bulk`: it replaces the whole set of the app.
package struct FunctionsRegistration: Hashable, Sendable, Codable {
  /// The backend takes no more in one call.
  package static let maximumCount = 512

  /// The app's functions; those that are not in the list are deactivated.
  package var functions: [ResolveKitDefinition]

  /// Creates a registration; the backend refuses more than ``maximumCount`` functions.
  package init(functions: [ResolveKitDefinition]) { self.functions = functions }
}
