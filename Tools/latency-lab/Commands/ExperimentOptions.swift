import ArgumentParser
import Foundation
import LatencyReport
import LinkEmulator

/// The options of an experiment that do not depend on its scenario.
struct ExperimentOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Arms, of \(Arm.all.map(\.name).joined(separator: ", ")).", valueName: "names"))
  var arms: String?

  @Option(
    help: ArgumentHelp(
      """
      A client of your own beside the arms: a shell command that writes the body of {url} to standard output as it \
      comes; {authority} is the file of the authority's certificate; repeatable.
      """, valueName: "command"))
  var client: [String] = []

  @Option(
    help: ArgumentHelp(
      "Runs of each arm over all seeds, after one warm-up that is discarded; 20 unless the scenario says otherwise.",
      valueName: "count"))
  var repetitions: Int?

  @Option(
    help: ArgumentHelp(
      "The first seed of schedules, of the link's random numbers and of the order.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp("How many seeds the runs take in turn; runs of one seed are a cluster.", valueName: "count"))
  var seeds = ExperimentRequest.defaultSeeds

  @Option(
    help: ArgumentHelp(
      "Arms whose difference is shown to be smaller than this are called equivalent; 0: none are.", valueName: "ms"))
  var equivalence = 2.0

  @Flag(help: "Keep runs that a busy machine disturbed; the report says so.")
  var keepDisturbed = false

  @Option(
    help: ArgumentHelp(
      """
      ours, caddy, peer:NAME for one of Interop/peers/servers, or a command in front of our origin with {port} and, as it needs them, {address}, {certificate}, \
      {key} and {origin} (plain HTTP/1.1).
      """, valueName: "server"))
  var server = "ours"

  @Option(
    help: ArgumentHelp(
      """
      A limit for a metric's median, such as excessP99<150ms or h3:excessP99<150ms; missed: exit code 10; repeatable.
      """, valueName: "budget"))
  var budget: [String] = []

  @Option(help: "The runs whose packets are kept as pcapng and CSV: none, first or all.")
  var capture: ExperimentRequest.Capture = .first

  @Option(help: ArgumentHelp("Output folder; lab-results/NAME-TIME if not given.", valueName: "folder"))
  var out: String?

  func validate() throws {
    if let repetitions, !(1...1_000).contains(repetitions) {
      throw ValidationError("--repetitions takes 1 to 1000.")
    }
    guard (1...1_000).contains(seeds) else { throw ValidationError("--seeds takes 1 to 1000.") }
    guard equivalence >= 0, equivalence.isFinite else {
      throw ValidationError("--equivalence takes 0 or milliseconds.")
    }
    do {
      if let arms { _ = try Arm.list(arms) }
      _ = try Arm.commands(client)
      _ = try ServerChoice(server)
      _ = try parsedBudgets()
    } catch let error as LabError {
      throw ValidationError(error.message)
    }
  }

  func parsedBudgets() throws -> [Budget] { try Self.parsed(budgets: budget) }

  static func parsed(budgets: [String]) throws(LabError) -> [Budget] {
    var parsed: [Budget] = []
    for text in budgets {
      do {
        parsed.append(try Budget(parsing: text))
      } catch {
        throw LabError(.usage, "--budget: \(error).")
      }
    }
    return parsed
  }

  /// The request for one scenario.
  func request(for scenario: Scenario, commandLine: [String], folder: URL) throws -> ExperimentRequest {
    var list: [Arm]
    if let arms {
      list = try Arm.list(arms)
    } else {
      list = try Arm.list((scenario.arms ?? Arm.defaultNames).joined(separator: ","))
    }
    list += try Arm.commands(client)
    if !client.isEmpty, scenario.workload.tool != nil {
      throw LabError(.usage, "--client cannot run \(scenario.name): a command cannot send a tool's result.")
    }
    let tunedArm = list.first { $0.congestionControl != "cubic" || $0.tuning != TCPTuning() }
    if scenario.workload.crossTraffic == true, let arm = tunedArm {
      throw LabError(
        .usage,
        """
        The arm \(arm.name) cannot run beside cross traffic: TCP's settings are the link's, so the download would \
        have this arm's too and fill the queue otherwise than beside the other arms.
        """)
    }
    let budgets = try parsedBudgets()
    for budget in budgets {
      do {
        try budget.check(arms: list.map(\.name))
      } catch {
        throw LabError(.usage, "--budget: \(error).")
      }
    }
    return ExperimentRequest(
      scenario: scenario, arms: list,
      repetitions: repetitions ?? scenario.repetitions ?? ExperimentRequest.defaultRepetitions,
      seeds: ExperimentSeeds(first: seed, count: seeds), server: try ServerChoice(server), budgets: budgets,
      rules: rules(for: scenario), capture: capture, folder: folder, commandLine: commandLine)
  }

  private func rules(for scenario: Scenario) -> ExperimentRules {
    var rules = scenario.rules
    rules.equivalenceMilliseconds = equivalence > 0 ? equivalence : nil
    if keepDisturbed { rules.disturbance = nil }
    return rules
  }

  func folder(for name: String) -> URL { Self.folder(out, for: name) }

  /// The folder that was given, or a new one with the scenario's name and the time.
  static func folder(_ given: String?, for name: String) -> URL {
    if let given { return URL(fileURLWithPath: given) }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "yyyyMMdd-HHmmss"
    return URL(fileURLWithPath: "lab-results/\(name)-\(format.string(from: Date()))")
  }

  /// The same options as words of a command line, the folder left out.
  var words: [String] {
    var words: [String] = []
    if let arms { words += ["--arms", arms] }
    words += client.flatMap { ["--client", $0] }
    if let repetitions { words += ["--repetitions", "\(repetitions)"] }
    words += ["--seed", "\(seed)", "--seeds", "\(seeds)"]
    if equivalence != 2 { words += ["--equivalence", "\(equivalence)"] }
    if keepDisturbed { words.append("--keep-disturbed") }
    if server != "ours" { words += ["--server", server] }
    if capture != .first { words += ["--capture", capture.rawValue] }
    return words + budget.flatMap { ["--budget", $0] }
  }
}

extension ExperimentRequest.Capture: ExpressibleByArgument {}
