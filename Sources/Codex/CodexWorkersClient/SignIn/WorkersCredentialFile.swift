import Glibc
import ResolveKitCore
import StreamTransport

/// The sign-ins of this machine's user, one a server, in a file for its owner alone.
public struct WorkersCredentialFile: Sendable {
  /// The reason for a file that cannot be used, as a sentence with the remedy.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String
  }

  /// One more than this takes the place of the oldest.
  public static let maximumCredentials = 64
  private static let maximumBytes = 1 << 20
  private static let format = "codex-workers-credentials"

  /// The file's path.
  public let path: String

  /// The file at this path, which need not exist yet.
  public init(path: String) { self.path = path }

  /// The file that all programs of one state folder share.
  package init(folder: String) { self.init(path: folder + "/workers-credentials.json") }

  /// The sign-ins, the latest first. Throws ``Failure``.
  public func all() throws(Failure) -> [WorkersCredential] {
    let bytes: [UInt8]
    do {
      var status = stat()
      guard lstat(path, &status) == 0 else { return [] }
      guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
        throw Failure(description: "'\(path)' is open to others; give it to yourself alone: chmod 600 '\(path)'")
      }
      bytes = try PrivateFile.read(path, limit: Self.maximumBytes)
    } catch let error as PrivateFile.Failure {
      throw Failure(description: "The sign-ins cannot be read: \(error).")
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure(description: "The sign-ins cannot be read: \(error).")
    }
    guard let fields = (try? JSONValue(parsing: bytes)).flatMap({ WireObject($0) }),
      fields.string("format") == Self.format, let rows = fields["credentials"]?.arrayValue
    else { throw Failure(description: "'\(path)' holds no sign-ins; move it away and sign in again.") }
    return rows.compactMap(Self.credential)
  }

  /// The sign-in at a server; nil where there is none. Throws ``Failure``.
  public func credential(for server: String) throws(Failure) -> WorkersCredential? {
    try all().first { $0.server == server }
  }

  /// Keeps a sign-in in the place of an earlier one at the same server. Throws ``Failure``.
  public func keep(_ credential: WorkersCredential) throws(Failure) {
    let others = try all().filter { $0.server != credential.server }
    try write([credential] + others.prefix(Self.maximumCredentials - 1))
  }

  /// Forgets the sign-in at a server. Throws ``Failure``.
  public func forget(_ server: String) throws(Failure) { try write(try all().filter { $0.server != server }) }

  private func write(_ credentials: [WorkersCredential]) throws(Failure) {
    let rows = credentials.map { credential -> JSONValue in
      var members: JSONObject = [
        "server": .string(credential.server), "email": .string(credential.email), "token": .string(credential.token),
      ]
      members["user_id"] = credential.userID.map { .string($0) }
      return .object(members)
    }
    let document: JSONValue = ["format": .string(Self.format), "version": 1, "credentials": .array(rows)]
    do {
      if let end = path.lastIndex(of: "/"), end > path.startIndex {
        try PrivateFile.makeDirectory(String(path[..<end]))
      }
      try PrivateFile.write(document.serialized() + Array("\n".utf8), to: path)
    } catch {
      throw Failure(description: "The sign-in cannot be kept: \(error).")
    }
  }

  private static func credential(_ value: JSONValue) -> WorkersCredential? {
    guard let fields = WireObject(value), let server = fields.word("server"), let email = fields.word("email"),
      let token = fields.word("token"), token.utf8.count <= WorkersCredential.maximumTokenBytes
    else { return nil }
    return WorkersCredential(server: server, email: email, userID: fields.word("user_id"), token: token)
  }
}
