import Foundation

/// A UDP port that takes everything and answers nothing.
final class SilentPort {
  let port: Int
  private let descriptor: Int32

  init() {
    (descriptor, port) = RunningServer.boundSocket()
  }

  deinit { close(descriptor) }
}
