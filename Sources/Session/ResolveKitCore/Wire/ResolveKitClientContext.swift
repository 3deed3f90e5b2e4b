/// The client's description of itself (`client` of a session).
public struct ResolveKitClientContext: Hashable, Sendable, Codable {
  /// The platform's name, at most 32 characters; functions with a list of platforms are matched with it.
  public var platform: String?
  /// The operating system's name, at most 32 characters.
  public var osName: String?
  /// The operating system's version, at most 64 characters; compared with the bounds of ``ResolveKitAvailability``.
  public var osVersion: String?
  /// The app's version, at most 64 characters; compared with the bounds of ``ResolveKitAvailability``.
  public var appVersion: String?
  /// The app's build, at most 64 characters.
  public var appBuild: String?
  /// The SDK's name, at most 64 characters.
  public var sdkName: String?
  /// The SDK's version, at most 64 characters.
  public var sdkVersion: String?

  /// Creates a description; a nil property is not sent.
  public init(
    platform: String? = nil, osName: String? = nil, osVersion: String? = nil, appVersion: String? = nil,
    appBuild: String? = nil, sdkName: String? = nil, sdkVersion: String? = nil
  ) {
    self.platform = platform
    self.osName = osName
    self.osVersion = osVersion
    self.appVersion = appVersion
    self.appBuild = appBuild
    self.sdkName = sdkName
    self.sdkVersion = sdkVersion
  }

  private enum CodingKeys: String, CodingKey {
    case platform
    case osName = "os_name"
    case osVersion = "os_version"
    case appVersion = "app_version"
    case appBuild = "app_build"
    case sdkName = "sdk_name"
    case sdkVersion = "sdk_version"
  }
}
