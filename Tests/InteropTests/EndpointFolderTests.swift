import Foundation
import Testing

@testable import interop_endpoint

/// The files that the server shows, and those that the client writes.
@Suite struct EndpointFolderTests {
  @Test func onlyFilesInTheFolderAreShown() throws {
    try EndpointFolder.run { folder in
      try folder.write("inside", "www/file")
      try folder.write("deep", "www/sub/file")
      try folder.write("space", "www/a b")
      try folder.write("secret", "secret")
      try FileManager.default.createSymbolicLink(atPath: folder.path + "/www/link", withDestinationPath: "../secret")
      try FileManager.default.createSymbolicLink(atPath: folder.path + "/www/up", withDestinationPath: "..")
      #expect(mkfifo(folder.path + "/www/pipe", 0o600) == 0)
      let documents = DocumentFolder(path: folder.path + "/www")
      func content(_ path: String) throws -> String? {
        try documents.open(path).map { String(decoding: try $0.read(upTo: 100), as: UTF8.self) }
      }
      #expect(try content("/file") == "inside")
      #expect(try content("/sub/file") == "deep")
      #expect(try content("/a%20b") == "space")
      #expect(try content("/file?query#part") == "inside")
      let refused = [
        "", "file", "/", "/missing", "/sub", "/sub/", "//file", "/file/", "/../secret", "/sub/../../secret",
        "/sub/../file",
        "/%2e%2e/secret", "/..%2fsecret", "/%2e%2e%2fsecret", "/link", "/up/secret", "/pipe", "/file%00", "/a\0b", "/%",
        folder.path + "/secret", "/" + folder.path + "/secret", "/./file",
        "/" + String(repeating: "x", count: 300), "/" + String(repeating: "x/", count: 3_000),
      ]
      for path in refused { #expect(try content(path) == nil, "\(path.prefix(60))") }
      #expect(DocumentFolder(path: folder.path + "/nowhere").open("/file") == nil)
    }
  }

  @Test func whatIsWrittenIsThereAndLinksAreNotFollowed() throws {
    try EndpointFolder.run { folder in
      try folder.write("longer than what follows", "file")
      let file = try OpenFile(writing: folder.path + "/file")
      try file.write([])
      try file.write(Array("new".utf8))
      #expect(try folder.read("file") == Array("new".utf8))
      try folder.write("kept", "target")
      try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "target")
      #expect(throws: EndpointFailure.self) { try OpenFile(writing: folder.path + "/link") }
      #expect(throws: EndpointFailure.self) { try OpenFile(writing: folder.path + "/no/where") }
      #expect(try folder.read("target") == Array("kept".utf8))
    }
  }
}
