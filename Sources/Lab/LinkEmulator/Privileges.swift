import CLinux
import Foundation

/// Whether this process may make links, and how it gets to.
package enum Privileges {
  package enum State: Sendable {
    /// Links can be made as we are.
    case ready
    /// Links can be made in a user namespace of our own, after ``reexecuteInUserNamespace(arguments:)``.
    case needsUserNamespace
    case impossible(EmulatorError)
  }

  static let remedy =
    "run as root, or let user namespaces be made and the TUN device be opened (sudo chmod 0666 /dev/net/tun)."

  /// The variable in the environment of a process that was started again; a second time would not help.
  private static let mark = "LINK_EMULATOR_IN_USER_NAMESPACE"

  /// Tries it in a short-lived child; nothing is left of it.
  package static func state() -> State {
    var step: CInt = 0
    let direct = clinux_probe_link(false, "", "", &step)
    if direct == 0 { return .ready }
    let hasTriedBefore = ProcessInfo.processInfo.environment[mark] != nil
    // Root, or a user who got here through a namespace, gains nothing from another namespace.
    if geteuid() == 0 || hasTriedBefore {
      return .impossible(failure(direct, step: step))
    }
    let nested = clinux_probe_link(true, "0 \(geteuid()) 1", "0 \(getegid()) 1", &step)
    return nested == 0 ? .needsUserNamespace : .impossible(failure(nested, step: step))
  }

  /// Makes sure that links can be made: returns if so, else starts this program again in a user namespace, which does
  /// not return, or throws with what to do. To be called before anything was started or opened that must survive.
  package static func ensure(arguments: [String] = CommandLine.arguments) throws(EmulatorError) {
    switch state() {
    case .ready: return
    case .impossible(let error): throw error
    case .needsUserNamespace: try reexecuteInUserNamespace(arguments: arguments)
    }
  }

  /// Replaces this process by itself under `unshare`, as root of a new user namespace. Returns only by throwing.
  package static func reexecuteInUserNamespace(arguments: [String]) throws(EmulatorError) {
    let command = NamespacedCommand("unshare")
    let unshare = try CommandResolver(command).path
    let program: String
    do {
      // By its path: unshare would take /proc/self/exe for itself.
      program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    } catch {
      throw EmulatorError(.system, "The path of this program can't be read; is /proc mounted?", cause: error)
    }
    setenv(mark, "1", 1)
    let list = [unshare, "--user", "--map-root-user", "--", program] + arguments.dropFirst()
    let answer = CStrings.with(list, []) { list, _ in execv(unshare, list) < 0 ? -errno : 0 }
    unsetenv(mark)
    throw EmulatorError(
      .privileges, "This program can't be started again in a user namespace; \(remedy)",
      cause: SystemCallError("execv", answer: answer))
  }

  private static func failure(_ answer: CInt, step: CInt) -> EmulatorError {
    switch Int(step) {
    case CLINUX_STEP_USER_NAMESPACE:
      return EmulatorError(
        .privileges,
        "This user may not make user namespaces; run as root, or allow them "
          + "(sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, "
          + "kernel.apparmor_restrict_unprivileged_userns).",
        cause: SystemCallError("unshare(CLONE_NEWUSER)", answer: answer))
    case CLINUX_STEP_NETWORK_NAMESPACE:
      return EmulatorError(
        .privileges,
        "No network namespace can be made; run as root with CAP_SYS_ADMIN (in a container: --privileged, or "
          + "--cap-add SYS_ADMIN,NET_ADMIN), or see sysctl user.max_net_namespaces.",
        cause: SystemCallError("unshare(CLONE_NEWNET)", answer: answer))
    default:
      let remedy =
        answer == -ENOENT || answer == -ENODEV || answer == -ENXIO
        ? "load the module as root (modprobe tun; in a container: --device /dev/net/tun)."
        : "run as root, or make it readable and writable: sudo chmod 0666 /dev/net/tun."
      return EmulatorError(
        .privileges, "/dev/net/tun can't be used; \(remedy)", cause: SystemCallError("/dev/net/tun", answer: answer))
    }
  }
}
