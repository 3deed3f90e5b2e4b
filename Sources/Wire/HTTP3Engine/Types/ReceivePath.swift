import CQUIC

/// The path that the last datagram came over, in the library's form: nearly all come over one, whose two addresses need not
/// be written again for each.
final class ReceivePath {
  /// The path's storage, in one place, as its pointers aim into it.
  private let storage = UnsafeMutablePointer<ngtcp2_path_storage>.allocate(capacity: 1)
  private var path: NetworkPath?
  private var host: ClientAddresses.Host = 0

  init() {
    storage.initialize(to: ngtcp2_path_storage())
  }

  deinit {
    storage.deallocate()
  }

  /// The path as ``NetworkPath/withCPath(host:_:)`` lends it; valid until the next call.
  func pointer(to path: NetworkPath, host: ClientAddresses.Host) -> UnsafePointer<ngtcp2_path> {
    if self.path != path || self.host != host {
      path.store(in: storage, host: host)
      self.path = path
      self.host = host
    }
    return UnsafeRawPointer(storage).assumingMemoryBound(to: ngtcp2_path.self)
  }
}
