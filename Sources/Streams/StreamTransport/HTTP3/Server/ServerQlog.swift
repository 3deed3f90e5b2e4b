import HTTP3Engine

/// The traces of a server's connections, each in a file of its own.
struct ServerQlog {
  let directory: QlogDirectory
  private var files: [ConnectionKey: QlogFile] = [:]

  init(_ directory: QlogDirectory) { self.directory = directory }

  /// Writes what connections recorded since the last call, where the disk keeps up.
  mutating func write(_ take: () -> [(ConnectionKey, QlogOutput)]) {
    guard directory.hasRoom else { return }
    for (key, output) in take() {
      let file = files[key] ?? directory.makeFile()
      files[key] = output.isLast ? nil : file
      file.append(output)
    }
  }

  /// Closes the files once what they were given is written.
  mutating func close() { files = [:] }
}
