/// Where a function may be offered. The backend compares versions inclusively.
public struct ResolveKitAvailability: Hashable, Sendable, Codable {
  public var platforms: [ResolveKitPlatform]?
  public var minOSVersion: String?
  public var maxOSVersion: String?
  public var minAppVersion: String?
  public var maxAppVersion: String?

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
