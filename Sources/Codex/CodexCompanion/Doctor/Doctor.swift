import CodexAppServer
package import Foundation

/// Looks at all that the companion needs before it serves. Changes nothing, but for a start of codex that is ended again.
package struct Doctor: Sendable {
  private let server: ExaminedServer
  private let now: @Sendable () -> Date

  package init(_ server: ExaminedServer, now: @escaping @Sendable () -> Date = { Date() }) {
    self.server = server
    self.now = now
  }

  /// The findings, in the order in which to read them.
  package func examine() async -> [DoctorFinding] {
    let companion = await CompanionExamination(socket: server.folder.controlSocket).examine()
    return await codex() + [git] + certificate + StateExamination(server.folder).findings
      + [await port(companion.status)] + [companion.finding]
  }

  private func codex() async -> [DoctorFinding] {
    let program: CodexProgram
    do {
      program = try CodexProgram(server.codex, environment: server.environment)
    } catch {
      return [
        .problem(
          .codex, "Codex cannot be run: \(error.message)",
          remedy: "npm install -g @openai/codex, or name the program with --codex.")
      ]
    }
    let sandbox = await SandboxExamination(program, environment: server.environment).finding
    do {
      let outcome = try await AppServerTrial(of: program, environment: server.environment).run()
      return CodexExamination(program.path, outcome).findings + [sandbox]
    } catch {
      return [
        .problem(.codex, "Codex cannot be tried: \(error)", remedy: "Remove the cause, and ask the doctor again.")
      ]
    }
  }

  private var git: DoctorFinding {
    do {
      _ = try GitProgram(environment: server.environment)
      return .good(.git, "git is there.")
    } catch {
      return .problem(.git, "There is no git on the PATH.", remedy: "apt-get install git")
    }
  }

  private var certificate: [DoctorFinding] {
    let folder = server.folder.path
    let files = server.certificate ?? ("\(folder)/certificate.pem", "\(folder)/private-key.pem")
    return CertificateExamination(
      chain: files.chain, privateKey: files.privateKey, isOurs: server.certificate == nil, host: server.hosts.first
    ).findings(at: now())
  }

  private func port(_ running: ControlStatus?) async -> DoctorFinding {
    await PortExamination(address: server.address, port: server.port, running: running).finding()
  }
}
