import Foundation
import ResolveKitCore

/// The SDK's description of itself and its machine for the server (contract: `client`).
enum ClientDescription {
  static let sdkName = "agent-stream"
  /// The version of the public SDK whose contract is spoken; the server's compatibility gate compares it.
  static let sdkVersion = "1.5.0"

  static func current(_ configuration: ResolveKitConfiguration) -> ResolveKitClientContext {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    return ResolveKitClientContext(
      platform: configuration.platform.rawValue, osName: osName,
      osVersion: "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)",
      appVersion: configuration.appVersion,
      appBuild: configuration.appBuild.flatMap { $0.isEmpty ? nil : $0 }, sdkName: sdkName, sdkVersion: sdkVersion)
  }

  private static var osName: String {
    #if os(Linux)
    "Linux"
    #else
    "macOS"
    #endif
  }
}
