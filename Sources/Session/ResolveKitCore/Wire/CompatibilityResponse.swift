/// Answer of `GET /v1/sdk/compat`, and the gate it sets.
public struct CompatibilityResponse: Hashable, Sendable, Codable {
  /// The lowest SDK version that the server accepts, as dotted numbers.
  public var minimumSDKVersion: String
  /// The major versions that the server accepts.
  public var supportedSDKMajorVersions: [Int]
  /// Fields that the server wants in a session's `client`, such as `client.os_version`; nil where it names none.
  public var clientRequirements: [String]?
  /// The server's clock, ISO 8601 as it wrote it.
  public var serverTime: String?

  /// Creates an answer, as a backend does.
  package init(
    minimumSDKVersion: String, supportedSDKMajorVersions: [Int], clientRequirements: [String]? = nil,
    serverTime: String? = nil
  ) {
    self.minimumSDKVersion = minimumSDKVersion
    self.supportedSDKMajorVersions = supportedSDKMajorVersions
    self.clientRequirements = clientRequirements
    self.serverTime = serverTime
  }

  private enum CodingKeys: String, CodingKey {
    case minimumSDKVersion = "minimum_sdk_version"
    case supportedSDKMajorVersions = "supported_sdk_major_versions"
    case clientRequirements = "client_requirements"
    case serverTime = "server_time"
  }

  /// The reason for which a client of that version may not connect; nil if it may.
  public func objection(toSDKVersion version: String) -> String? {
    let parts = Self.parts(of: version)
    let major = parts.first ?? 0
    guard supportedSDKMajorVersions.contains(major) else {
      return "SDK major version \(major) is unsupported by server."
    }
    let minimum = Self.parts(of: minimumSDKVersion)
    for index in 0..<max(parts.count, minimum.count) {
      let own = index < parts.count ? parts[index] : 0
      let required = index < minimum.count ? minimum[index] : 0
      if own > required { return nil }
      if own < required { return "SDK \(version) is below minimum required \(minimumSDKVersion)." }
    }
    return nil
  }

  /// Parts that are no number are dropped, as the public SDK does.
  private static func parts(of version: String) -> [Int] {
    version.split(separator: ".", omittingEmptySubsequences: false).compactMap { Int($0) }
  }
}
