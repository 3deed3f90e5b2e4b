/// Asks for host and API key until both are there.
@MainActor
struct ConfigurationScreen {
  let input: LineInput

  /// False where the input ended first. Throws ``SampleFailure`` where nobody can be asked.
  func complete(_ settings: inout ConnectionSettings) async throws(SampleFailure) -> Bool {
    Terminal.write("Step 1 of 2: configuration\n")
    while settings.needsHost || settings.needsKey {
      guard input.isTerminal else {
        throw .usage(
          "Host and API key are required: --url or RESOLVEKIT_BASE_URL, --api-key-file or RESOLVEKIT_API_KEY.")
      }
      do {
        if settings.needsHost {
          Terminal.write("Host, or '\(ConnectionSettings.embedded)' for a backend inside this program: ")
          guard let line = await input.line() else { return false }
          try settings.setHost(line)
        } else {
          Terminal.write("API key (not shown): ")
          guard let line = await input.secret() else { return false }
          Terminal.write("\n")
          try settings.setKey(line)
        }
      } catch {
        Terminal.write("\(error.message)\n")
      }
    }
    return true
  }
}
