import CodexAppServer
import Foundation
import Testing

struct SocketFolderTests {
  private func withFolder(_ body: (String) throws -> Void) rethrows {
    let path = "/tmp/agent-stream-test-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  private func refusal(_ path: String) -> AppServerError.Code? {
    do {
      _ = try SocketFolder(path)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func aFolderIsMadeForItsOwnerAlone() throws {
    try withFolder { path in
      let folder = try SocketFolder(path + "/a/b/")
      #expect(folder.path == path + "/a/b" && folder.socket == path + "/a/b/app-server.sock")
      let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
      #expect(mode == 0o700)
      #expect(refusal(folder.path) == nil)
    }
  }

  @Test func whatOthersCanWriteIntoIsRefused() throws {
    try withFolder { path in
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for mode in [0o701, 0o770, 0o755, 0o777] {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect(refusal(path) == .unusableFolder, "\(mode)")
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
      // A link may lead anywhere.
      try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: path)
      #expect(refusal(path + "/link") == .unusableFolder)
      _ = FileManager.default.createFile(atPath: path + "/file", contents: nil)
      #expect(refusal(path + "/file") == .unusableFolder)
      #expect(refusal(path + "/file/below") == .unusableFolder)
    }
  }

  @Test func aPathThatASocketCannotHaveIsRefused() {
    for path in ["", "relative", "/tmp/" + String(repeating: "x", count: 90), "/tmp/a\0b"] {
      #expect(refusal(path) == .unusableFolder)
    }
  }
}
