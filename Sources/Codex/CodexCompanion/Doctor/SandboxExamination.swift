import CodexAppServer
import Glibc
import ResolveKitCore

/// Whether bubblewrap is there and may make the namespaces that codex's sandbox is made of.
struct SandboxExamination {
  private let program: CodexProgram
  private let environment: [String: String]

  init(_ program: CodexProgram, environment: [String: String]) {
    self.program = program
    self.environment = environment
  }

  var finding: DoctorFinding {
    get async {
      guard let path = program.bubblewrap(environment: environment) else {
        return .problem(
          .sandbox, "There is no bubblewrap (bwrap): each command in codex's sandbox fails.",
          remedy: "apt-get install bubblewrap")
      }
      guard await works(path) else {
        return .problem(
          .sandbox, "'\(path)' makes no sandbox here: each command in codex's sandbox fails.",
          remedy: "Allow unprivileged user namespaces: sysctl kernel.unprivileged_userns_clone "
            + "kernel.apparmor_restrict_unprivileged_userns user.max_user_namespaces.")
      }
      return .good(.sandbox, "'\(path)' makes sandboxes.")
    }
  }

  private func works(_ path: String) async -> Bool {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { return false }
    defer { close(null) }
    let words = ["--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--", "true"]
    guard
      let process = try? SpawnedProcess(
        path, words, environment: environment, input: null, output: null, error: null)
    else { return false }
    if let ending = await process.waitForEnd(within: .seconds(10)) { return ending == .exited(0) }
    process.signal(SIGKILL)
    return false
  }
}
