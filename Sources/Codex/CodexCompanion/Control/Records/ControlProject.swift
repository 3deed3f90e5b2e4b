package import ResolveKitCore

/// A folder that codex has worked in, or that is hidden, for the person at the workstation.
package struct ControlProject: ControlRecord {
  package var folder: String
  /// The time of the latest change to a chat of it, in milliseconds since 1970; nil where that is not known.
  package var updatedAt: Int?
  /// Whether it is kept from devices, by itself or with a folder above it.
  package var isHidden: Bool

  package static var maximumCount: Int { ProjectCatalog.maximumProjects + HiddenFolders.maximumCount }

  package init(folder: String, updatedAt: Int?, isHidden: Bool) {
    self.folder = folder
    self.updatedAt = updatedAt
    self.isHidden = isHidden
  }

  package init(_ fields: ControlFields) throws(ControlError) {
    folder = try fields.text("folder")
    updatedAt = try fields.optionalTime("updatedAt")
    isHidden = try fields.flag("hidden")
  }

  package var json: JSONValue {
    .record([
      "folder": .string(folder), "updatedAt": updatedAt.map { .time($0) }, "hidden": .bool(isHidden),
    ])
  }
}
