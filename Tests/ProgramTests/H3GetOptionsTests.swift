import ArgumentParser
import Foundation
import HTTPTypes
import StreamTransport
import Testing

@testable import h3get

struct H3GetOptionsTests {
  private static let url = "https://localhost:8443/a?b=c#d"

  private func parse(_ arguments: [String]) throws -> H3Get {
    try #require(try H3Get.parseAsRoot(arguments) as? H3Get)
  }

  @Test func defaultsAskForOneBody() throws {
    let command = try parse([Self.url])
    let message = try command.request.message()
    #expect(message.method == .get)
    #expect(message.fields == [.userAgent: "h3get"])
    #expect(command.connection.trust == .system && command.connection.allowsHTTP1)
    #expect(!command.connection.usesTickets && !command.events.isOn && !command.output.include)
    let target = try command.target()
    #expect(target.origin == Origin(scheme: .https, host: "localhost", port: 8443))
    #expect(target.resources.map(\.path) == ["/a?b=c"])
  }

  @Test func everyOptionIsTaken() throws {
    let command = try parse([
      "-X", "PUT", "-H", "Accept: text/html", "-H", "x-empty:", "-H", "user-agent: me", "-d", "a=1", "-d", "-5", "-i",
      "-o", "file", "--timing", "--http3-only", "--0rtt", "--v2", "--key-update", "--ca-file", "ca.pem", "--keylog",
      "k", "--certificate", "c.pem", "--private-key", "k.pem",
      "--qlog", "q", "--timeout", "2.5", Self.url, "https://LOCALHOST:8443",
    ])
    let message = try command.request.message()
    #expect(message.method == .put)
    let empty = try #require(HTTPField.Name("x-empty"))
    #expect(message.fields[.accept] == "text/html" && message.fields[empty] == "")
    #expect(message.fields[values: .userAgent] == ["me"])
    #expect(message.fields[.contentType] == "application/x-www-form-urlencoded")
    guard case .bytes(let body) = message.body else { throw ValidationError("no body") }
    #expect(String(decoding: body, as: UTF8.self) == "a=1&-5")
    #expect(command.output.include && command.output.timing && command.output.file == "file")
    #expect(command.connection.trust == .certificateFile("ca.pem") && !command.connection.allowsHTTP1)
    #expect(command.connection.identity == .files(certificateChain: "c.pem", privateKey: "k.pem"))
    #expect(command.connection.usesTickets && command.connection.speaksVersion2 && command.connection.updatesKeys)
    #expect(command.connection.keyLog == "k" && command.connection.qlog == "q" && command.connection.timeout == 2.5)
    #expect(try command.target().resources.map(\.path) == ["/a?b=c", "/"])
  }

  @Test func dataMeansPOSTUnlessTheCommandLineSaysOtherwise() throws {
    let post = try parse(["-dx", "-Hcontent-type: application/json", Self.url]).request.message()
    #expect(post.method == .post)
    #expect(post.fields[values: .contentType] == ["application/json"])
    #expect(try parse(["-d", "x", "-XDELETE", Self.url]).request.message().method == .delete)
  }

  @Test func anEventStreamIsAskedForAsAnEventSourceDoes() throws {
    let command = try parse(["--events", "--resume", "ärger 7", "-H", "accept: */*", Self.url])
    let message = command.events.complete(try command.request.message())
    let name = try #require(HTTPField.Name("last-event-id"))
    #expect(message.fields[.accept] == "*/*")
    #expect(message.fields[.acceptEncoding] == "identity" && message.fields[.cacheControl] == "no-cache")
    #expect(message.fields[name] == "ärger 7")
  }

  struct Refusal: CustomTestStringConvertible {
    var arguments: [String]
    var sentence: String
    var url: [String] = [H3GetOptionsTests.url]
    var testDescription: String { (arguments + url).joined(separator: " ") }
  }

  @Test(arguments: [
    Refusal(arguments: [], sentence: "Missing expected argument", url: []),
    Refusal(arguments: [], sentence: "give one such as", url: ["ftp://example.org/"]),
    Refusal(arguments: [], sentence: "give an https URL", url: ["http://localhost/"]),
    Refusal(arguments: [], sentence: "Port 70000", url: ["https://localhost:70000/"]),
    Refusal(arguments: [], sentence: "names no host", url: ["https:///path"]),
    Refusal(arguments: [], sentence: "-H @FILE", url: ["https://user:secret@localhost/"]),
    Refusal(arguments: [], sentence: "run h3get once for each", url: ["https://a/", "https://b/"]),
    Refusal(arguments: [], sentence: "the most in one run", url: Array(repeating: "https://a/", count: 1_001)),
    Refusal(arguments: ["-H", "nothing"], sentence: "a name, a colon and a value"),
    Refusal(arguments: ["-H", ": nameless"], sentence: "a name, a colon and a value"),
    Refusal(arguments: ["-H", "two words: x"], sentence: "letters, digits and hyphens"),
    Refusal(arguments: ["-H", "x: a\nb"], sentence: "no line ends"),
    Refusal(arguments: ["-H", "x: " + String(repeating: "a", count: 65_537)], sentence: "bytes at most"),
    Refusal(arguments: ["-H", "Host: other"], sentence: "give another URL"),
    Refusal(arguments: ["-H", "content-length: 3"], sentence: "leave this field out"),
    Refusal(arguments: ["-H", "Transfer-Encoding: chunked"], sentence: "malformed"),
    Refusal(arguments: ["-H", "te: gzip"], sentence: "malformed"),
    Refusal(arguments: Array(repeating: "-Ha: b", count: 201), sentence: "200 fields are the most"),
    Refusal(arguments: ["-X", "TWO WORDS"], sentence: "a token such as GET"),
    Refusal(arguments: ["-X", "CONNECT"], sentence: "does not make"),
    Refusal(arguments: ["-X", "HEAD", "-d", "x"], sentence: "leave -d out"),
    Refusal(arguments: ["-d", "@-", "-d", "@-"], sentence: "give -d @- once"),
    Refusal(arguments: ["--resume", "7"], sentence: "give --events too"),
    Refusal(arguments: ["--events", "--resume", ""], sentence: "the id of an event"),
    Refusal(arguments: ["--events", "--resume", "a\nb"], sentence: "the id of an event"),
    Refusal(arguments: ["--events", "https://localhost:8443/b"], sentence: "give one URL"),
    Refusal(arguments: ["--timeout", "0"], sentence: "above 0"),
    Refusal(arguments: ["--timeout", "nan"], sentence: "above 0"),
    Refusal(arguments: ["--timeout", "1e6"], sentence: "below 1000000"),
    Refusal(arguments: ["--pin", "ab"], sentence: "64 hexadecimal digits"),
    Refusal(arguments: ["--pin", String(repeating: "+f", count: 32)], sentence: "64 hexadecimal digits"),
    Refusal(arguments: ["--pin", String(repeating: "ab", count: 32), "--ca-file", "x"], sentence: "not both"),
    Refusal(arguments: ["--certificate", "c.pem"], sentence: "go together"),
    Refusal(arguments: ["--private-key", "k.pem"], sentence: "go together"),
    Refusal(arguments: ["--transport", "h3"], sentence: "Unknown option"),
    Refusal(arguments: ["--key-log", "x"], sentence: "Unknown option"),
  ]) func nonsenseIsRefusedWithWhatToDo(refusal: Refusal) throws {
    let error = try #require(throws: (any Error).self) {
      _ = try parse(refusal.arguments + refusal.url).target()
    }
    #expect(H3Get.exitCode(for: error) == .validationFailure)
    #expect(H3Get.message(for: error).contains(refusal.sentence), "\(H3Get.message(for: error))")
  }

  @Test func fieldsAreReadFromAFileWhichNoProcessListShows() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "h3get-fields-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("authorization: Bearer secret\r\n\nx-b: 2\n".utf8).write(to: file)
    let message = try parse(["-H", "@" + file.path, "-H", "x-b: 3", Self.url]).request.message()
    let name = try #require(HTTPField.Name("x-b"))
    #expect(message.fields[.authorization] == "Bearer secret" && message.fields[values: name] == ["2", "3"])
    try Data("nonsense\n".utf8).write(to: file)
    for path in [file.path, file.path + ".missing", "/dev/zero", ""] {
      #expect(throws: ValidationError.self) { try parse(["-H", "@" + path, Self.url]).request.message() }
    }
  }

  @Test func aBodyIsReadFromFilesAsItIs() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "h3get-body-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data([0x0d, 0x0a, 0x00, 0xff]).write(to: file)
    #expect(try BodyArgument.read(["a", "@" + file.path]) == [0x61, 0x26, 0x0d, 0x0a, 0x00, 0xff])
    for name in ["@", "@\(file.path).missing", "@/"] {
      let error = try #require(throws: ValidationError.self) { try BodyArgument.read([name]) }
      #expect(error.message.contains("@FILE") || error.message.contains("cannot be read"), "\(error.message)")
    }
    #expect(throws: ValidationError.self) { try BodyArgument.read(["@/dev/zero"]) }
  }
}
