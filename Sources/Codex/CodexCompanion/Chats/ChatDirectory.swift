import ResolveKitCore
import StreamTransport

/// The chats that codex knows, and the projects that they are in: of those that their owner shows.
actor ChatDirectory {
  /// A chat as lists show it.
  struct Entry: Equatable, Sendable {
    let id: String
    let folder: String
    let title: String
    let preview: String
    /// Seconds since 1970.
    let updatedAt: Int

    init?(_ thread: JSONObject) {
      guard let id = thread["id"]?.stringValue, let folder = thread["cwd"]?.stringValue else { return nil }
      self.id = id
      self.folder = folder
      preview = thread["preview"]?.stringValue ?? ""
      let name = thread["name"]?.stringValue ?? preview
      title = name.isEmpty ? "New chat" : String(name.prefix(120))
      updatedAt = thread["updatedAt"]?.numberValue.flatMap { Int(exactly: $0.rounded()) } ?? 0
    }

    var json: JSONValue {
      [
        "id": .string(id), "projectId": .string(Project.id(of: folder)), "title": .string(title),
        "preview": .string(String(preview.prefix(500))), "updatedAt": .number(Double(updatedAt)),
      ]
    }
  }

  /// Pages that are read; a list that is longer is cut at its oldest.
  private static let pages = 20
  private static let knownLimit = 10_000

  private let link: any CodexLink
  private let catalog: ProjectCatalog
  /// The folders of chats; they do not change.
  private var folders: [String: String] = [:]
  private let clock: TransportClock
  private var lookups = ChatLookups()
  /// The reading of the list that is under way, for all who ask meanwhile.
  private var listing: Task<[Entry], any Error>?

  init(link: any CodexLink, catalog: ProjectCatalog, clock: TransportClock = .continuous) {
    self.link = link
    self.catalog = catalog
    self.clock = clock
  }

  /// The chats that a device may see, the one that was used last first. Throws ``ChatError``.
  func entries() async throws -> [Entry] {
    var shown: [Entry] = []
    for entry in try await list() where await catalog.shows(folder: entry.folder) { shown.append(entry) }
    return shown
  }

  private func list() async throws -> [Entry] {
    if let listing { return try await listing.value }
    let task = Task { try await readList() }
    listing = task
    defer { listing = nil }
    return try await task.value
  }

  private func readList() async throws -> [Entry] {
    var entries: [Entry] = []
    var cursor: JSONValue?
    do {
      for _ in 0..<Self.pages {
        // The default order loses chats of the same second between two pages (codex 0.163); a page has 100 at most.
        var params: JSONObject = ["sortKey": "updated_at", "limit": 100]
        params["cursor"] = cursor
        let answer = try await link.call("thread/list", params)
        entries += (answer["data"]?.arrayValue ?? []).compactMap { $0.objectValue.flatMap(Entry.init) }
        guard let next = answer["nextCursor"], !next.isNull else { break }
        cursor = next
      }
    } catch {
      throw ChatError(error)
    }
    for entry in entries { await take(entry) }
    return entries
  }

  /// The projects that a device may see, the latest first. Throws ``ChatError``.
  func projects() async throws -> [Project] {
    _ = try await entries()
    return await catalog.visible
  }

  /// A project that a device may work in. Throws ``ChatError`` and ``ProjectError``.
  func project(_ id: String) async throws -> Project {
    do {
      return try await catalog.project(id)
    } catch  where error.code == .notFound {
      _ = try await entries()
      return try await catalog.project(id)
    }
  }

  /// The folder of a chat that a device may see. Throws ``ChatError``.
  ///
  /// - Parameter device: Who asks, and may not ask for unknown ones without end; nil for the companion itself.
  func folder(of chatID: String, for device: Device? = nil) async throws -> String {
    let folder = try await knownFolder(of: chatID, for: device)
    guard await catalog.shows(folder: folder) else { throw ChatError.chatNotFound }
    return folder
  }

  /// The folder of a chat; nil where its owner does not show it. Throws ``ChatError`` where codex does not report it.
  func shownFolder(of chatID: String) async throws -> String? {
    let folder = try await knownFolder(of: chatID, for: nil)
    return await catalog.shows(folder: folder) ? folder : nil
  }

  /// Whether a chat is in a folder that is kept from devices; one of which nothing is known is not.
  func isHidden(_ chatID: String) async -> Bool {
    guard let folder = try? await knownFolder(of: chatID, for: nil) else { return false }
    return await catalog.hides(folder: folder)
  }

  private func knownFolder(of chatID: String, for device: Device?) async throws -> String {
    if let known = folders[chatID] { return known }
    switch lookups.verdict(on: chatID, for: device?.id, now: clock.now()) {
    case .ask: break
    case .unknown: throw ChatError.chatNotFound
    case .wait(let time):
      throw ChatError(
        .tooMany, "This device asks for many chats that nobody knows; try again in \(time.components.seconds + 1) s.")
    }
    do {
      let answer = try await link.call("thread/read", ["threadId": .string(chatID)])
      guard let entry = answer["thread"]?.objectValue.flatMap(Entry.init) else { throw ChatError.chatNotFound }
      await take(entry)
      return entry.folder
    } catch let error as CodexCallError {
      if case .refused = error.code { return try await listedFolder(of: chatID) }
      throw ChatError(error)
    }
  }

  /// codex reads a thread that it has not loaded from its list alone.
  private func listedFolder(of chatID: String) async throws -> String {
    if lookups.mayList(now: clock.now()) { _ = try await list() }
    guard let folder = folders[chatID] else {
      lookups.notFound(chatID, now: clock.now())
      throw ChatError.chatNotFound
    }
    return folder
  }

  /// Begins a chat in a project, read-only: its first turn brings what the settings allow. Throws ``ChatError``.
  ///
  /// A start with a writable sandbox would have codex trust the folder by itself, and apply the folder's own settings.
  func begin(in folder: String, model: String?) async throws -> Entry {
    if await !catalog.shows(folder: folder) { _ = try await entries() }
    guard await catalog.shows(folder: folder) else {
      throw ChatError(
        .unknownProject,
        "Chats can be begun in projects that have some, and in those that 'companion serve --project' names.")
    }
    _ = try await catalog.project(Project.id(of: folder))
    var params: JSONObject = ["cwd": .string(folder), "sandbox": "read-only"]
    params["model"] = model.map { .string($0) }
    do {
      let answer = try await link.call("thread/start", params)
      guard let entry = answer["thread"]?.objectValue.flatMap(Entry.init) else {
        throw CodexCallError(.unavailable, "Failed to create thread")
      }
      await take(entry)
      return entry
    } catch {
      throw ChatError(error)
    }
  }

  private func take(_ entry: Entry) async {
    if folders.count >= Self.knownLimit { folders.removeAll() }
    folders[entry.id] = entry.folder
    lookups.found(entry.id)
    await catalog.note(folder: entry.folder, updatedAt: entry.updatedAt)
  }
}
