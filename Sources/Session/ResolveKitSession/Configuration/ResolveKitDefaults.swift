public import Foundation

/// The defaults of a configuration.
public enum ResolveKitDefaults {
  /// `RESOLVEKIT_BASE_URL` from the process environment, else `https://agent.example.com`.
  public static var baseURL: URL {
    baseURL(environment: ProcessInfo.processInfo.environment)
  }

  package static func baseURL(environment: [String: String]) -> URL {
    let fallback = "https://agent.example.com"
    let name = environment["RESOLVEKIT_BASE_URL"].flatMap { $0.isEmpty ? nil : $0 } ?? fallback
    guard let url = URL(string: name) ?? URL(string: fallback) else {
      preconditionFailure("The fallback is a valid URL.")
    }
    return url
  }
}
