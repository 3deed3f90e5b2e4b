/// Asks for host and API key until both are there.
@MainActor
struct ConfigurationScreen {
  let terminal: Terminal

  /// False where the input ended first. Throws ``SampleFailure`` where nobody can be asked.
  func complete(_ settings: inout ConnectionSettings) async throws(SampleFailure) -> Bool {
    terminal.write("Step 1 of 2: configuration\n")
    while settings.needsHost || settings.needsKey {
      guard terminal.isTerminal else {
        throw .usage(
          "Host and API key are required: --url or RESOLVEKIT_BASE_URL, --api-key-file or RESOLVEKIT_API_KEY.")
      }
      do {
        if settings.needsHost {
          let question = "Host, or '\(ConnectionSettings.embedded)' for a backend inside this program: "
          guard let line = await terminal.line(question) else { return false }
          try settings.setHost(line)
        } else {
          guard let line = await terminal.secret("API key (not shown): ") else { return false }
          try settings.setKey(line)
        }
      } catch {
        terminal.write("\(error.message)\n")
      }
    }
    return true
  }
}
