/// The client's name and version, as codex learns them.
package struct AppServerClient: Hashable, Sendable {
  /// Begins the `userAgent`, and becomes the `originator` of threads.
  package var name: String
  package var title: String?
  package var version: String
  /// Without it codex refuses experimental methods and members.
  package var experimentalApi: Bool
  /// Exact methods of notifications that are not to be sent.
  package var unwanted: [String]

  package init(
    name: String, title: String? = nil, version: String, experimentalApi: Bool = false, unwanted: [String] = []
  ) {
    self.name = name
    self.title = title
    self.version = version
    self.experimentalApi = experimentalApi
    self.unwanted = unwanted
  }
}
