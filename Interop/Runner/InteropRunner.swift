import ArgumentParser
import Foundation
import LinkEmulator

/// Runs clients against servers over emulated links, and judges them by files and packets.
@main struct InteropRunner: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Interop/run",
    abstract: "Runs our QUIC endpoint against servers and clients that others wrote, over emulated links.",
    discussion: """
      Without options: our client against every server and every client against our server, in the public runner's \
      cases and the goodput. Interop/Runner/README.md describes how a verdict is formed. Exit status: 0 nothing failed, 1 \
      something failed, 75 it can't be run here, 130 interrupted.
      """)

  @Option(help: ArgumentHelp("Only these, separated by commas; ours is \(Peer.oursName).", valueName: "names"))
  var peers: String?

  @Option(
    help: ArgumentHelp(
      "Letters or names, separated by commas; 'all' adds the cross traffic, 'streams' means event streams.",
      valueName: "cases"))
  var cases: String?

  @Option(help: "Our endpoint's part, client or server; both without it.")
  var role: Role?

  @Option(name: .customLong("repeat"), help: ArgumentHelp("How often each case is run.", valueName: "count"))
  var repeated = 1

  @Option(help: ArgumentHelp("How often a measurement is run; 5 as in the public runner.", valueName: "count"))
  var measurements: Int?

  @Option(help: ArgumentHelp("Where results go; a new folder in interop-results without it.", valueName: "folder"))
  var out: String?

  @Flag(help: "Our client against three servers in seven short cases, for continuous integration.")
  var smoke = false

  @Option(help: ArgumentHelp("Nothing is started after this time.", valueName: "minutes"))
  var timeLimit = 120.0

  @Option(help: "Tests that run at once; measurements run alone.")
  var jobs = 4

  @Option(help: "What losses and damages are drawn from; the same one gives the same.")
  var seed: UInt64 = 1

  @Flag(help: "Keep the large captures of successes too.")
  var keepCaptures = false

  @Flag(help: "List cases and peers, and run nothing.")
  var list = false

  @Option(help: .hidden)
  var peersFolder: String?

  func validate() throws {
    func refuse(_ text: String) -> ValidationError { ValidationError(text) }
    if !(1...100).contains(repeated) { throw refuse("--repeat is \(repeated); 1 to 100 are possible.") }
    if let measurements, !(1...100).contains(measurements) {
      throw refuse("--measurements is \(measurements); 1 to 100 are possible.")
    }
    if !(1...32).contains(jobs) { throw refuse("--jobs is \(jobs); 1 to 32 are possible.") }
    if !(timeLimit > 0 && timeLimit <= 10_000) { throw refuse("--time-limit is \(timeLimit); 0 to 10000 minutes.") }
    if smoke, peers == nil, role == .server {
      throw refuse(
        "--smoke runs our client against three servers; name clients with --peers to run them against our server.")
    }
    do { _ = try CaseSelection.cases(cases, isSmoke: smoke) } catch { throw refuse("\(error)") }
  }

  func run() throws {
    let checkout = try RunnerPlaces.find()
    let folder = PeerFolder(path: peersFolder ?? checkout.peers)
    let ours = Peer.ours(version: Self.version(of: checkout))
    let cases = try CaseSelection.cases(cases, isSmoke: smoke).map { $0.measured(measurements) }
    let known = Role.allCases.map { folder.peers($0, warn: Self.say) }
    if list {
      print(PeerList.text(cases: CaseSelection.known, ours: ours, clients: known[0], servers: known[1]), terminator: "")
      return
    }
    let selection: PeerSelection
    do {
      selection = try PeerSelection.select(
        ours: ours, clients: known[0], servers: known[1], names: peers, role: role, isSmoke: smoke)
    } catch { throw ValidationError("\(error)") }
    do { try Privileges.ensure() } catch {
      Self.say("can't be run here: \(error)")
      throw ExitCode(Preparation.cannotRunHere)
    }
    let run = MatrixRun(
      checkout: checkout, peers: folder, selection: selection, cases: cases, repeated: repeated,
      out: out ?? Self.newFolder(checkout), seed: seed, jobs: jobs, keepsCaptures: keepCaptures,
      timeLimitSeconds: timeLimit * 60, say: Self.say)
    throw ExitCode(try run.run())
  }

  /// The fault of a command line; nil if it can be run.
  static func problem(with arguments: [String]) -> String? {
    do { _ = try parse(arguments) } catch { return message(for: error) }
    return nil
  }

  @Sendable static func say(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("interop: \(text)\n".utf8))
  }

  private static func newFolder(_ checkout: RunnerPlaces) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd'T'HH-mm-ss"
    return "interop-results/\(formatter.string(from: Date()))"
  }

  /// The commit that is checked out.
  private static func version(of checkout: RunnerPlaces) -> String {
    let tool = Tool(folder: FileManager.default.temporaryDirectory.path, stop: Stop())
    let answer = tool.run("git", ["-C", checkout.root, "rev-parse", "--short", "HEAD"], seconds: 10)
    return answer.isSuccess ? answer.output.trimmingCharacters(in: .whitespacesAndNewlines) : "not known"
  }
}

extension Role: ExpressibleByArgument {}
