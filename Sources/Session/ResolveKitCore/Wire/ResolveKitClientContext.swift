/// The client's description of itself (`client` of a session).
public struct ResolveKitClientContext: Hashable, Sendable, Codable {
  public var platform: String?
  public var osName: String?
  public var osVersion: String?
  public var appVersion: String?
  public var appBuild: String?
  public var sdkName: String?
  public var sdkVersion: String?

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
