/// A platform name as the backend compares it. Names that are not listed here are kept as they are.
public struct ResolveKitPlatform: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let ios = ResolveKitPlatform(rawValue: "ios")
  public static let macos = ResolveKitPlatform(rawValue: "macos")
  public static let tvos = ResolveKitPlatform(rawValue: "tvos")
  public static let watchos = ResolveKitPlatform(rawValue: "watchos")
  public static let visionos = ResolveKitPlatform(rawValue: "visionos")
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
