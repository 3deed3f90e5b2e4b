import ArgumentParser
import Foundation
import LatencyReport

struct DrawCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draw", abstract: "Draws captured runs: what was late, and what the server had in flight.",
    discussion: """
      One picture for two arms, below each other: every event's lateness, the packets that the link dropped, and the \
      server's congestion window with the bytes in flight, all over the same time. TCP's are sampled, and HTTP/3's are \
      those of our own server's qlog. Runs are captured with 'run --capture'.
      """)

  @Argument(help: "The output folder of 'latency-lab run'.")
  var folder: String

  @Option(help: "The arms, one below the other.", transform: { $0.split(separator: ",").map(String.init) })
  var arms = ["h3", "h2"]

  @Option(help: "A repetition, from 0; otherwise of each arm its median captured run by the headline metric.")
  var repetition: Int?

  @Option(help: ArgumentHelp("The picture's file, otherwise senders.svg in the folder.", valueName: "file"))
  var out: String?

  func validate() throws {
    guard (1...8).contains(arms.count), Set(arms).count == arms.count else {
      throw ValidationError("--arms are one to eight different ones, as h3,h2.")
    }
  }

  func run() throws {
    let url = URL(fileURLWithPath: folder)
    let experiment = ExperimentFolder(url)
    let results = try experiment.results()
    let runs = try arms.map { arm in try run(of: arm, in: results, experiment) }
    guard let picture = RunPicture(results, runs: runs) else {
      throw LabError(.failed, "These runs have no events, so there is nothing to draw; choose others.")
    }
    let file = out.map { URL(fileURLWithPath: $0) } ?? url.appendingPathComponent("senders.svg")
    do { try Data(picture.source.utf8).write(to: file) } catch {
      throw LabError(
        .failed, "'\(file.path)' cannot be written; is the disk full, and may this user write there?", cause: error)
    }
    print("Picture: \(file.path)")
  }

  private func run(
    of arm: String, in results: ExperimentResults, _ experiment: ExperimentFolder
  ) throws -> RunPicture.Run {
    func capture(_ repetition: Int) -> CaptureFolder {
      CaptureFolder(in: experiment.url, arm: arm, repetition: repetition)
    }
    guard
      let repetition = repetition
        ?? RunPicture.medianRepetition(of: arm, in: results, among: { capture($0).exists })
    else {
      throw LabError(
        .failed,
        "'\(folder)' has no kept run of '\(arm)' that was captured; run it with --capture all, or give --repetition.")
    }
    return RunPicture.Run(
      try experiment.readRun(arm: arm, repetition: repetition),
      senders: try capture(repetition).senders(port: Int(RunMaterials.port)))
  }
}
