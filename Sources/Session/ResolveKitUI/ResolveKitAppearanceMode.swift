/// The palette of the theme that a view shows.
public enum ResolveKitAppearanceMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// The one that the device asks for.
  case system
  /// The light palette, whatever the device asks for.
  case light
  /// The dark palette, whatever the device asks for.
  case dark
}
