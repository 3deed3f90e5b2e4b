import ArgumentParser

/// Serves one case of the table.
@main struct HostileServer: AsyncParsableCommand {}
