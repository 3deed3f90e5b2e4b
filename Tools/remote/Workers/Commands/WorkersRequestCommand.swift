import ArgumentParser
import CodexWorkersClient
import Foundation
import ResolveKitCore

struct WorkersRequestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "request", abstract: "Sends a request to the Codex behind a worker, and shows its answer.",
    discussion: """
      The parameters are a JSON object: from --params, from a pipe, or written in $VISUAL or $EDITOR. A request whose answer \
      was lost may be sent again under its id, which is shown: it is performed once.
      """)

  @OptionGroup var options: WorkersOptions
  @Argument(help: "The worker's id.") var id: String
  @Argument(help: "thread/start, thread/resume, turn/start, turn/interrupt, thread/list or thread/read.") var method:
    String
  @Option(help: ArgumentHelp("The parameters, a JSON object; - reads standard input.", valueName: "json"))
  var params: String?
  @Option(help: ArgumentHelp("Codex's thread, where it is not in the parameters.", valueName: "id")) var thread: String?
  @Option(help: ArgumentHelp("The request's id, to send it again.", valueName: "id")) var requestID: String?
  @Flag(help: "The answer as JSON.") var json = false

  func validate() throws {
    guard WorkerControlRequest.methods.contains(method) else {
      throw ValidationError("The method is one of \(WorkerControlRequest.methods.joined(separator: ", ")).")
    }
    guard (1...160).contains(requestID?.utf8.count ?? 1) else {
      throw ValidationError("--request-id has 1 to 160 characters.")
    }
  }

  func run() async throws {
    let place = try options.place()
    let request = WorkerControlRequest(
      id: requestID ?? LetterID.make("remotereq-"), method: method, params: try await parameters(), source: "remote",
      threadID: thread)
    WorkersExit.say("-- request \(request.id)")
    place.requestFile(of: id).add(request)
    var answer: WorkerAnswer?
    try await place.run { answer = try await place.client.send(request, to: id) }
    guard let answer else { return }
    if json {
      try WorkersOutput.json([
        "worker_id": .string(answer.workerID), "request_id": .string(answer.requestID), "ok": .bool(answer.isOK),
        "response": answer.response,
      ])
    } else {
      try WorkersOutput.line(answer.response.visibleText)
    }
    guard answer.isOK else {
      WorkersExit.say("-- Codex, or its device, refused the request.")
      throw WorkersExit.codexRefused
    }
  }

  private func parameters() async throws -> JSONObject {
    let text: String
    switch params {
    case "-"?: text = try Self.standardInput()
    case let given?: text = given
    case nil: text = try await JSONEditor().edit(Self.draft(method))
    }
    let value: JSONValue
    do {
      value = try JSONValue(parsing: text.isEmpty ? "{}" : text)
    } catch {
      throw ValidationError("The parameters are no JSON: \(error).")
    }
    guard let members = value.objectValue else { throw ValidationError("The parameters are a JSON object, as {…}.") }
    return members
  }

  private static func standardInput() throws -> String {
    let data = try FileHandle.standardInput.read(upToCount: JSONEditor.limit + 1) ?? Data()
    guard data.count <= JSONEditor.limit else {
      throw ValidationError("The parameters have \(JSONEditor.limit) bytes at most.")
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// The editor's first text.
  static func draft(_ method: String) -> String {
    switch method {
    case "turn/start": #"{"threadId": "", "input": [{"type": "text", "text": ""}]}"#
    case "turn/interrupt": #"{"threadId": "", "turnId": ""}"#
    case "thread/start": #"{"cwd": ""}"#
    case "thread/resume", "thread/read": #"{"threadId": ""}"#
    default: "{}"
    }
  }
}
