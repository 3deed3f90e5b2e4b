import Foundation

extension ResolveKitConfiguration {
  /// The server that sessions and approvals are kept under: the base URL without what may be secret in it.
  package var approvalServer: String {
    serverName ?? shownURL
  }

  /// The base URL for people and files: without what may be secret in it.
  package var shownURL: String {
    var parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
    parts?.user = nil
    parts?.password = nil
    parts?.query = nil
    parts?.fragment = nil
    return parts?.string ?? ""
  }
}
