package import EventLedger
import ResolveKitCore

/// The workspaces that are mirrored, and to whose account. All others are not mirrored.
package struct MirrorPolicy: Equatable, Sendable {
  /// A workspace that an account may see.
  package struct Entry: Equatable, Sendable {
    /// The e-mail address of a runtime's account.
    package let account: String
    /// The workspace's folder, an absolute path; the folders in it are not meant.
    package let folder: String
    /// Earlier events are not mirrored.
    package let since: WallTime
  }

  package static let maximumEntries = 1_000

  package private(set) var entries: [Entry] = []

  package init() {}

  /// Since when a workspace is mirrored to an account; nil where it is not.
  package func start(of folder: String, for account: String) -> WallTime? {
    entries.first { Self.isSame($0.account, account) && Self.isSame($0.folder, folder) }?.since
  }

  /// The workspaces that are mirrored to an account.
  func folders(for account: String) -> [String] { entries.filter { Self.isSame($0.account, account) }.map(\.folder) }

  /// Switches a workspace on or off; one that is on stays as it is. False where there is no room.
  package mutating func set(_ folder: String, for account: String, isOn: Bool, at now: WallTime) -> Bool {
    guard isOn else {
      entries.removeAll { Self.isSame($0.account, account) && Self.isSame($0.folder, folder) }
      return true
    }
    guard start(of: folder, for: account) == nil else { return true }
    guard entries.count < Self.maximumEntries else { return false }
    entries.append(Entry(account: account, folder: folder, since: now))
    return true
  }

  /// Compares by bytes: two spellings of one character are two folders.
  private static func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

  // MARK: JSON

  init?(_ members: JSONObject) {
    guard members["format"] == "companion-mirror-policy", members["version"] == 1,
      let rows = members["entries"]?.arrayValue, rows.count <= Self.maximumEntries
    else { return nil }
    for row in rows {
      guard let fields = row.objectValue, let account = fields["account"]?.stringValue,
        let folder = fields["folder"]?.stringValue, folder.hasPrefix("/"),
        let since = fields["since_us"]?.integerValue
      else { return nil }
      entries.append(Entry(account: account, folder: folder, since: WallTime(microseconds: Int64(since))))
    }
  }

  var json: JSONValue {
    [
      "format": "companion-mirror-policy", "version": 1,
      "entries": .array(
        entries.map { entry in
          [
            "account": .string(entry.account), "folder": .string(entry.folder),
            "since_us": .number(Double(entry.since.microseconds)),
          ]
        }),
    ]
  }
}
