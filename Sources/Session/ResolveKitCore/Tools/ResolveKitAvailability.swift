/// The platforms and versions that a function may be offered to. The backend compares versions inclusively.
public struct ResolveKitAvailability: Hashable, Sendable, Codable {
  /// The platforms that the function is offered on, compared with `client.platform`; nil or an empty list means all.
  public var platforms: [ResolveKitPlatform]?
  /// The lowest `client.os_version`; nil for no bound.
  public var minOSVersion: String?
  /// The highest `client.os_version`; nil for no bound.
  public var maxOSVersion: String?
  /// The lowest `client.app_version`; nil for no bound.
  public var minAppVersion: String?
  /// The highest `client.app_version`; nil for no bound.
  public var maxAppVersion: String?

  /// Creates bounds. A client whose version is missing or unreadable is outside every bound.
  public init(
    platforms: [ResolveKitPlatform]? = nil, minOSVersion: String? = nil, maxOSVersion: String? = nil,
    minAppVersion: String? = nil, maxAppVersion: String? = nil
  ) {
    self.platforms = platforms
    self.minOSVersion = minOSVersion
    self.maxOSVersion = maxOSVersion
    self.minAppVersion = minAppVersion
    self.maxAppVersion = maxAppVersion
  }

  private enum CodingKeys: String, CodingKey {
    case platforms
    case minOSVersion = "min_os_version"
    case maxOSVersion = "max_os_version"
    case minAppVersion = "min_app_version"
    case maxAppVersion = "max_app_version"
  }
}
