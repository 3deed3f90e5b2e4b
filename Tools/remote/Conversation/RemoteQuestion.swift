import CodexRemoteClient
import ResolveKitCore
import TerminalIO

/// A question of codex as a person reads it: exactly what is asked about, and what a yes means.
struct RemoteQuestion {
  /// Characters of a question's subject that are shown without a request.
  static let shownLength = 4_000

  private let approval: RemoteApproval

  init(_ approval: RemoteApproval) { self.approval = approval }

  /// Whether ``text(isWhole:)`` leaves something out.
  var isCut: Bool { subject.count > Self.shownLength }

  /// The text before ``prompt``. What is left out is said; what could not be seen, or would steer the terminal, is an escape.
  func text(isWhole: Bool = false) -> String {
    var lines = ["codex asks: \(approval.title.visible)"]
    let subject = subject
    let isCut = subject.count > Self.shownLength && !isWhole
    lines += (isCut ? String(subject.prefix(Self.shownLength)) : subject).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { "  \($0)" }
    if isCut { lines.append("  [cut: \(Self.shownLength) of \(subject.count) characters are shown; v shows all]") }
    if let reason = approval.details["reason"]?.stringValue { lines.append("  Why: \(reason.visible)") }
    if !approval.consequence.isEmpty { lines.append("  A yes means: \(approval.consequence.visible)") }
    return lines.map { $0 + "\n" }.joined()
  }

  var prompt: String {
    switch approval.answering {
    case .yes: yesPrompt
    case .form: "Answer it? y fill it in\(otherAnswers): "
    case .impossible: "It cannot be answered here\(otherAnswers): "
    }
  }

  private var otherAnswers: String {
    ", n no" + (approval.allowsCancel ? ", c cancel" : "") + (isCut ? ", v view all" : "")
  }

  private var yesPrompt: String {
    "Allow it? y once" + (approval.allowsSession ? ", s in this chat" : "")
      + (approval.allowsAlways ? ", a always" : "")
      + otherAnswers + ": "
  }

  /// Line by line; each line of a patch is one here.
  private var subject: String {
    let details = approval.details
    var lines: [String] = []
    switch approval.form {
    case "command":
      lines.append((details["command"]?.stringValue ?? approval.summary).visible)
      if let folder = details["cwd"]?.stringValue { lines.append("in \(folder.visible)") }
    case "fileChange":
      for change in RemoteFileChange.changes(in: details["changes"]) {
        lines.append("\(change.kind.visible) \(change.path.visible)")
        lines += change.diff.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + String($0).visible }
      }
      if let root = details["grantRoot"]?.stringValue { lines.append("and all below \(root.visible)") }
      if lines.isEmpty { lines.append(approval.summary.visible) }
    default:
      lines.append(approval.summary.visible)
      if let server = approval.serverName { lines.append("server \(server.visible)") }
      if let tool = approval.toolName { lines.append("tool \(tool.visible)") }
      lines += more
    }
    return lines.joined(separator: "\n")
  }

  /// The companion's further information; of a form the fields, which say the same as its schema.
  private var more: [String] {
    var shown: Set = ["reason"]
    if approval.form == "elicitation" { shown.formUnion(["message", "mode"]) }
    var lines: [String] = []
    switch approval.answering {
    case .yes: break
    case .form(let form):
      shown.insert("requestedSchema")
      for field in form.fields { lines.append("asks for \(FormText.title(field))") }
    case .impossible(let reason): lines.append(reason.visible)
    }
    for (name, value) in approval.details.sorted(by: { $0.key < $1.key }) where !shown.contains(name) && !value.isNull {
      lines.append("\(name.visible): \(value.visibleText)")
    }
    return lines
  }
}
