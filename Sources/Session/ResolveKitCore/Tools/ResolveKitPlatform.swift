/// A platform name as the backend compares it. Names that are not listed here are kept as they are.
public struct ResolveKitPlatform: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// iPhone and iPad.
  public static let ios = ResolveKitPlatform(rawValue: "ios")
  /// Mac.
  public static let macos = ResolveKitPlatform(rawValue: "macos")
  /// Apple TV.
  public static let tvos = ResolveKitPlatform(rawValue: "tvos")
  /// Apple Watch.
  public static let watchos = ResolveKitPlatform(rawValue: "watchos")
  /// Apple Vision Pro.
  public static let visionos = ResolveKitPlatform(rawValue: "visionos")
  /// Linux, which the public SDKs do not know: a function that is limited to their platforms is not offered there.
  public static let linux = ResolveKitPlatform(rawValue: "linux")

  /// The platform this program was compiled for.
  public static var current: ResolveKitPlatform {
    #if os(iOS)
    .ios
    #elseif os(macOS)
    .macos
    #elseif os(tvOS)
    .tvos
    #elseif os(watchOS)
    .watchos
    #elseif os(visionOS)
    .visionos
    #else
    .linux
    #endif
  }
}
