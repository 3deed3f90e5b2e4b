import Foundation
import LinkEmulator
import Synchronization
import Testing

@testable import interop_runner

@Suite struct RunnerRunTests {
  private static func folder() throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/runner-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @Test("The readiness probe is a long header of a reserved version, 1200 bytes, and only its own answer counts")
  func probe() {
    let mine: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    let its: [UInt8] = [9, 10, 11, 12, 13, 14, 15, 16]
    let packet = ReadinessProbe.packet(destinationID: its, sourceID: mine)
    #expect(packet.count == 1_200 && packet[0] & 0x80 != 0 && packet[1..<5].allSatisfy { $0 & 0x0F == 0x0A })
    func isAnswer(_ bytes: [UInt8]) -> Bool { ReadinessProbe.isAnswer(bytes, destinationID: its, sourceID: mine) }
    let answer: [UInt8] = [0x80, 0, 0, 0, 0, 8] + mine + [8] + its + [0, 0, 0, 1]
    #expect(isAnswer(answer) && !isAnswer(packet) && !isAnswer([0x80, 0, 0, 0, 0, 8] + its + [8] + mine))
    #expect(!isAnswer([0x00] + answer.dropFirst()) && !isAnswer([0x80, 0, 0, 0, 1] + answer.dropFirst(5)))
    for length in 0..<23 { #expect(!isAnswer(Array(answer.prefix(length)))) }
  }

  @Test("Downloads are compared by name, size and content")
  func files() throws {
    let base = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: base) }
    let (www, downloads) = (base + "/www", base + "/downloads")
    for path in [www, downloads] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    let files = try ServedFiles.make([CaseFile(1_000), CaseFile(0), CaseFile(70_000, nameLength: 250)], in: www)
    #expect(files.problems(www: www, downloads: downloads).first?.contains("3 of 3 files are missing") == true)
    for name in files.names {
      try FileManager.default.copyItem(atPath: "\(www)/\(name)", toPath: "\(downloads)/\(name)")
    }
    #expect(files.problems(www: www, downloads: downloads).isEmpty)
    try Data("x".utf8).write(to: URL(fileURLWithPath: downloads + "/other"))
    #expect(files.problems(www: www, downloads: downloads) == ["1 files came that were not asked for, as other."])
    try FileManager.default.removeItem(atPath: downloads + "/other")
    let path = "\(downloads)/\(files.names[2])"
    var content = try Data(contentsOf: URL(fileURLWithPath: path))
    content[69_999] ^= 1
    try content.write(to: URL(fileURLWithPath: path))
    #expect(files.problems(www: www, downloads: downloads).first?.hasSuffix("is not as it was served.") == true)
    try content.dropLast().write(to: URL(fileURLWithPath: path))
    #expect(files.problems(www: www, downloads: downloads).first?.contains("69999 bytes and should have 70000") == true)
  }

  @Test("What a run keeps is bounded: long logs lose their middle, large captures of successes and scratch go")
  func tidy() throws {
    let base = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: base) }
    let folder = CellFolder(path: base + "/cell", scratch: base + "/scratch")
    try folder.make()
    let large = Data(repeating: UInt8(ascii: "a"), count: CellFolder.mostLogBytes + 1_000)
    try large.write(to: URL(fileURLWithPath: folder.output(.client)))
    try Data().write(to: URL(fileURLWithPath: folder.output(.server)))
    try Data(count: CellFolder.mostCaptureBytes + 1).write(to: URL(fileURLWithPath: folder.capture(.client)))
    try Data(count: 100).write(to: URL(fileURLWithPath: folder.capture(.server)))
    for index in 0..<CellFolder.mostFiles + 20 {
      try Data("q".utf8).write(to: URL(fileURLWithPath: folder.logs(.server) + "/qlog/\(1_000 + index)"))
    }
    folder.tidy(keepsCaptures: true)
    #expect(FileManager.default.fileExists(atPath: folder.capture(.client)))
    folder.tidy(keepsCaptures: false)
    let manager = FileManager.default
    #expect(!manager.fileExists(atPath: folder.capture(.client)) && manager.fileExists(atPath: folder.capture(.server)))
    #expect(!manager.fileExists(atPath: folder.scratch) && !manager.fileExists(atPath: folder.output(.server)))
    let log = try Data(contentsOf: URL(fileURLWithPath: folder.output(.client)))
    #expect(log.count < CellFolder.mostLogBytes + 100 && log.range(of: Data("1128 bytes are left out".utf8)) != nil)
    #expect(try manager.contentsOfDirectory(atPath: folder.logs(.server) + "/qlog").count <= CellFolder.mostFiles)
  }

  @Test("The last words of a program are short and without control characters")
  func lastWords() throws {
    let base = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: base) }
    let folder = CellFolder(path: base + "/cell", scratch: base + "/scratch")
    try folder.make()
    #expect(folder.lastWords(.client).isEmpty)
    let text = String(repeating: "x", count: 10_000) + "\nfirst\nsecond \u{1B}[31mred\n\nthird\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.output(.client)))
    #expect(folder.lastWords(.client) == " It said: first / second [31mred / third")
  }

  @Test(
    "Tests run several at once, measurements alone and last, and nothing starts after the end", .timeLimit(.minutes(10))
  )
  func scheduling() throws {
    let pair = PeerSelection.Pair(client: .ours(version: "1"), server: .ours(version: "1"))
    let cells = Cell.all([pair], try CaseSelection.cases("H,S,R,G", isSmoke: false), repeated: 2)
    let running = Mutex<(now: Int, most: Int, order: [String])>((0, 0, []))
    let wasAlone = Mutex(true)
    let scheduler = Scheduler(
      cells, mayStart: { running.withLock { $0.order.count } < 14 },
      run: { cell in
        running.withLock {
          $0.now += 1
          $0.most = max($0.most, $0.now)
          $0.order.append(cell.testCase.abbreviation)
          if cell.testCase.isMeasurement, $0.now > 1 { wasAlone.withLock { $0 = false } }
        }
        running.withLock { $0.now -= 1 }
        return cell.testCase.name == "retry" && cell.repetition == 2 ? nil : Outcome(verdict: .succeeded)
      }, report: { _, _, done, count in #expect(done <= count && count == 16) })
    let (outcomes, notRun) = scheduler.runAll(jobs: 3)
    let order = running.withLock { $0.order }
    #expect(order.count == 14 && order.prefix(6).allSatisfy { $0 != "G" } && order.suffix(8).allSatisfy { $0 == "G" })
    #expect(wasAlone.withLock { $0 } && outcomes.values.map(\.count).sorted() == [1, 2, 2, 8])
    #expect(notRun.count == 3 && notRun.count { $0.testCase.name == "retry" } == 1)
  }

  @Test("A program that takes too long is ended, and one that is not there is reported", .timeLimit(.minutes(10)))
  func tools() throws {
    let base = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: base) }
    let tool = Tool(folder: base, stop: Stop())
    let answer = tool.run("sh", ["-c", "echo out; echo first >&2; echo last >&2; exit 3"], seconds: 30)
    #expect(answer.status == 3 && answer.output == "out\n" && answer.lastWords == "last" && !answer.isSuccess)
    #expect(tool.run("sh", ["-c", "yes"], seconds: 0.1, mostBytes: 10).status == Tool.timedOut)
    #expect(tool.run("sh", ["-c", "printf 0123456789abc"], seconds: 30, mostBytes: 10).output == "0123456789")
    #expect(!tool.run("no-such-program-here", [], seconds: 30).isSuccess)
    let stopped = Tool(folder: base, stop: Stop())
    stopped.stop.set()
    #expect(stopped.run("sleep", ["1000"], seconds: 600).status == Tool.timedOut)
    #expect(try FileManager.default.contentsOfDirectory(atPath: base).isEmpty)
  }

  @Test(
    "Wrong options are refused with what is possible",
    arguments: [
      (["--repeat", "0"], "1 to 100"), (["--jobs", "99"], "1 to 32"), (["--cases", "X"], "'X' is no case"),
      (["--role", "both"], "both"), (["--time-limit", "0"], "10000 minutes"), (["--nonsense"], "--nonsense"),
      (["extra"], "extra"),
    ])
  func wrongOptions(arguments: [String], problem: String) {
    #expect(InteropRunner.problem(with: arguments)?.contains(problem) == true)
  }

  @Test("Right options are taken")
  func rightOptions() {
    #expect(
      InteropRunner.problem(with: [
        "--peers", "caddy", "--cases", "H,DC", "--role", "client", "--repeat", "3", "--smoke",
      ]) == nil)
    #expect(
      InteropRunner.problem(with: ["--out", "x", "--list", "--time-limit", "2.5", "--keep-captures", "--seed", "9"])
        == nil)
  }

  @Test("Either side gets what the contract says: our endpoint by fixed folders, a peer by its own")
  func commands() throws {
    let base = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: base) }
    let command = EndpointCommand(
      checkout: RunnerPlaces(root: "/checkout", programs: "/built"), peers: PeerFolder(path: "/peers"),
      folder: CellFolder(path: base + "/cell", scratch: base + "/s"), certificates: "/c",
      requests: "https://server4:443/a")
    let ours = command.command(.ours(version: "1"), .client, testCase: "retry", isOverHTTP3: true)
    let mine = try #require(ours.environment)
    #expect(mine["ROLE"] == "client" && mine["TESTCASE"] == "retry" && mine["REQUESTS"] == "https://server4:443/a")
    #expect(
      mine["CLIENT_PARAMS"] == "--protocol h3" && mine["SSLKEYLOGFILE"] == "/logs/keys.log"
        && mine["QLOGDIR"] == "/logs/qlog/")
    #expect(ours.executable == "/checkout/Interop/Runner/enclosure" && ours.arguments.last == "/built/interop-endpoint")
    #expect(
      Array(ours.arguments.suffix(5).prefix(4)) == [
        base + "/s/www", base + "/s/downloads", "/c", base + "/cell/client",
      ])
    let other = command.command(.example("caddy"), .server, testCase: "retry", isOverHTTP3: false)
    let its = try #require(other.environment)
    #expect(its["WWW"] == base + "/s/www" && its["CERTS"] == "/c" && its["LOGS"] == base + "/cell/server")
    #expect(its["ADDRESS"] == "198.18.1.100" && its["ADDRESS6"] == "2001:db8:18:1::100" && its["PORT"] == "443")
    #expect(
      its["SSLKEYLOGFILE"] == base + "/cell/server/keys.log" && its["REQUESTS"] == nil && its["SERVER_PARAMS"] == nil)
    #expect(other.arguments.suffix(3) == ["-", "/peers/server", "caddy"])
    #expect(
      EndpointCommand.hosts.contains("198.18.1.100 server server4 server46\n2001:db8:18:1::100 server6 server46\n"))
  }
}
