import Foundation

/// Writes a capture as `client.pcapng` and `server.pcapng`.
package enum CaptureFiles {
  package static func write(
    _ capture: PacketCapture, snapLength: Int, wallClockOffset: Int64, to folder: String
  ) throws(EmulatorError) -> [String] {
    try make(folder)
    var paths: [String] = []
    for side in LinkSide.allCases {
      let path = folder + "/\(side.rawValue).pcapng"
      var file = try BufferedFile(path: path)
      try file.write(PcapngWriter.header(interface: side.rawValue, snapLength: snapLength))
      for index in 0..<capture.packets.count where capture.packets[index].side == side {
        try file.write(PcapngWriter.packet(capture.packets[index], wallClockOffset: wallClockOffset))
      }
      try file.close()
      paths.append(path)
    }
    return paths
  }

  /// Also done before a run, so that it does not fail at its end.
  static func make(_ folder: String) throws(EmulatorError) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw EmulatorError(.file, "The folder '\(folder)' for the capture can't be made; choose another.", cause: error)
    }
  }
}
