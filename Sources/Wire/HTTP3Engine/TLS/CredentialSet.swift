/// The credentials that a server presents, one for each of its certificates, and their choice by name; and those that
/// it wants to see.
struct CredentialSet: Sendable {
  private let all: [LoadedCredentials]
  private let names: ServerNameIndex
  /// What clients have to show, whatever name they ask for: a client may use a connection for all of a server's names
  /// (RFC 9114 § 3.3). Nil for nothing.
  let clients: ClientAuthentication?

  /// Throws where there are none to present.
  init(_ all: [LoadedCredentials], clients: ClientAuthentication?) throws(HTTP3Error) {
    guard !all.isEmpty else {
      throw HTTP3Error(.internal, "A server needs a certificate and its private key; none was given.")
    }
    self.all = all
    self.clients = clients
    names = ServerNameIndex(all.map(\.names))
  }

  /// Those for clients that ask for no name, or for one that nobody has.
  var preferred: LoadedCredentials { all[0] }

  /// Whether a client's name makes a difference.
  var isChoice: Bool { all.count > 1 }

  func credentials(for name: String?) -> LoadedCredentials { all[names.index(for: name)] }
}
