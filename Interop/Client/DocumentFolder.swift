import Foundation

/// The files that a server shows: regular ones in one folder or below, and nothing outside of it.
struct DocumentFolder: Sendable {
  let path: String

  /// The file that a request's path names; nil where there is none or it is not to be shown.
  func open(_ requestPath: String) -> OpenFile? {
    let path = requestPath.prefix { $0 != "?" && $0 != "#" }
    guard path.utf8.count <= 4_096, path.first == "/" else { return nil }
    let names = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    var folder = Glibc.open(self.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(folder) }
    // One component at a time and no links: no name can lead out of the folder.
    for (index, name) in names.enumerated() {
      guard folder >= 0, let name = name.removingPercentEncoding, RequestTarget.isFileName(name) else { return nil }
      let isLast = index == names.count - 1
      let flags = O_CLOEXEC | O_NOFOLLOW | (isLast ? O_RDONLY | O_NONBLOCK : O_RDONLY | O_DIRECTORY)
      let next = openat(folder, name, flags)
      guard !isLast else { return next < 0 ? nil : regularFile(next, requestPath) }
      close(folder)
      folder = next
    }
    return nil
  }

  private func regularFile(_ descriptor: Int32, _ name: String) -> OpenFile? {
    let file = OpenFile(descriptor, path: name)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return file
  }
}
