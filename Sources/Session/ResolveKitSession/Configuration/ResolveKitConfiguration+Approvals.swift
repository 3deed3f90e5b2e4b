import Foundation

extension ResolveKitConfiguration {
  /// The server that sessions and approvals are kept under: the base URL without what may be secret in it.
  package var approvalServer: String {
    if let serverName { return serverName }
    var parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
    parts?.user = nil
    parts?.password = nil
    parts?.query = nil
    parts?.fragment = nil
    return parts?.string ?? ""
  }
}
