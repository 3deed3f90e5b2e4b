import Foundation
import LinkEmulator

/// This machine's permissions and programs.
enum Machine {
  static let mayMakeLinks: Bool = {
    if case .ready = Privileges.state() { true } else { false }
  }()

  static let reason = "Needs the right to make network namespaces and TUN devices (root)."

  /// The identities of the network namespaces that any thread of this machine is in.
  static func networkNamespaces() -> Set<String> {
    var found: Set<String> = []
    let files = FileManager.default
    for process in (try? files.contentsOfDirectory(atPath: "/proc")) ?? [] where Int(process) != nil {
      for thread in (try? files.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? [] {
        let link = "/proc/\(process)/task/\(thread)/ns/net"
        if let name = try? files.destinationOfSymbolicLink(atPath: link) { found.insert(name) }
      }
    }
    return found
  }

  /// The namespace of the calling thread.
  static func currentNamespace() -> String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self/ns/net")) ?? ""
  }

  /// Asks again, giving others the processor, until it holds or a minute is over: for what the kernel does after a
  /// call has returned.
  static func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(60)
    while clock.now < end {
      if try condition() { return true }
      sched_yield()
    }
    return try condition()
  }
}
