import CLinux
import Foundation

/// A program to start with posix_spawn(3). It inherits three standard streams and no other descriptor, and no signal is
/// blocked or ignored in it.
package struct ChildProgram: Sendable {
  /// One of the three standard streams.
  package enum Stream: Sendable {
    case null
    case descriptor(CInt)
    /// A file that is made, or emptied, with these permissions.
    case file(String, permissions: UInt32)
    /// The destination of standard output.
    case output
  }

  /// The process group of the child, by which signals reach it.
  package enum Group: Sendable {
    /// Ours: a Ctrl-C at the terminal ends it too.
    case ours
    /// A group of the child's own, which is ended with its children.
    case own
    /// A session of its own: no terminal's signals reach it.
    case session
  }

  /// A path, or a name that is looked for in PATH.
  package var name: String
  package var arguments: [String]
  package var environment: [String: String]
  package var input: Stream = .null
  package var output: Stream = .null
  package var error: Stream = .null
  package var group: Group = .ours

  /// `POSIX_SPAWN_SETSID` of glibc, whose header shows it to `_GNU_SOURCE` alone.
  private static let newSession: Int32 = 0x80

  /// - Parameter environment: by default this process's.
  package init(
    _ name: String, _ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.name = name
    self.arguments = arguments
    self.environment = environment
  }

  /// Starts it and answers its number, which is released when it is reaped; see ``ChildEnd``.
  package func start() throws(SpawnFailure) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    Self.add(input, as: 0, O_RDONLY, to: &actions)
    Self.add(output, as: 1, O_WRONLY, to: &actions)
    Self.add(error, as: 2, O_WRONLY, to: &actions)
    // A socket that is listened on would be taken for as long as the child lives.
    clinux_close_from(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    set(&attributes)

    var words = ([name] + arguments).map { strdup($0) } + [nil]
    var variables = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var number: pid_t = 0
    let result = posix_spawnp(&number, name, &actions, &attributes, &words, &variables)
    guard result == 0 else { throw SpawnFailure(name: name, errno: result) }
    return number
  }

  private static func add(
    _ stream: Stream, as number: CInt, _ mode: CInt, to actions: inout posix_spawn_file_actions_t
  ) {
    switch stream {
    case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", mode, 0)
    case .descriptor(let own): posix_spawn_file_actions_adddup2(&actions, own, number)
    case .file(let path, let permissions):
      posix_spawn_file_actions_addopen(&actions, number, path, mode | O_CREAT | O_TRUNC, permissions)
    case .output: posix_spawn_file_actions_adddup2(&actions, 1, number)
    }
  }

  private func set(_ attributes: inout posix_spawnattr_t) {
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    switch group {
    case .ours: break
    case .own:
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= Int32(POSIX_SPAWN_SETPGROUP)
    case .session: flags |= Self.newSession
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }
}
