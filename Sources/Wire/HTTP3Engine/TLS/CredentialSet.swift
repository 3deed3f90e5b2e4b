/// The credentials that a server presents, one for each of its certificates, and their choice by name.
struct CredentialSet: Sendable {
  private let all: [LoadedCredentials]
  private let names: ServerNameIndex

  /// Throws where there are none.
  init(_ all: [LoadedCredentials]) throws(HTTP3Error) {
    guard !all.isEmpty else {
      throw HTTP3Error(.internal, "A server needs a certificate and its private key; none was given.")
    }
    self.all = all
    names = ServerNameIndex(all.map(\.names))
  }

  /// Those for clients that ask for no name, or for one that nobody has.
  var preferred: LoadedCredentials { all[0] }

  /// Whether a client's name makes a difference.
  var isChoice: Bool { all.count > 1 }

  func credentials(for name: String?) -> LoadedCredentials { all[names.index(for: name)] }
}
