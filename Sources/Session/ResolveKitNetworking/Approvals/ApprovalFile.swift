import Foundation
import ResolveKitCore

/// The text of a file of standing approvals: a JSON object a line, the first of which names format and version.
///
/// A line that cannot be read is passed over, so that what else is in the file still counts.
struct ApprovalFile: Equatable {
  static let format = "resolvekit-approvals"
  static let version = 1
  /// A tool's name has at most 255 characters, a server's as many as a URL may have; escapes come on top.
  static let maximumLineBytes = 32 << 10

  /// One for each id, sorted by tool, then id.
  var approvals: [ResolveKitStandingApproval]
  /// Lines that are neither empty nor of this format.
  var unreadableLines = 0
  /// The version that the file names; nil where it names none.
  var namedVersion: Int?

  init(_ approvals: [ResolveKitStandingApproval] = []) { self.approvals = Self.sorted(approvals) }

  init(bytes: [UInt8]) {
    var byID: [String: ResolveKitStandingApproval] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard line.count <= Self.maximumLineBytes, let members = (try? JSONValue(parsing: Array(line)))?.objectValue
      else {
        unreadableLines += 1
        continue
      }
      if members["format"]?.stringValue == Self.format, let version = members["version"].flatMap(TypeResolver.coerceInt)
      {
        namedVersion = max(version, namedVersion ?? 0)
      } else if let approval = Self.approval(members) {
        // Of two lines on one tool the stricter counts.
        let isStricter = byID[approval.id].map { approval.standing.verdict.stricter(than: $0.standing.verdict) } ?? true
        if isStricter { byID[approval.id] = approval }
      } else {
        unreadableLines += 1
      }
    }
    approvals = Self.sorted(Array(byID.values))
  }

  var bytes: [UInt8] {
    var lines: [JSONValue] = [["format": .string(Self.format), "version": .number(Double(Self.version))]]
    for approval in approvals {
      lines.append([
        "id": .string(approval.id), "server": .string(approval.server), "tool": .string(approval.toolName),
        "verdict": .string(approval.verdict.text),
        "decided_at": .number(approval.decidedAt.timeIntervalSince1970.rounded(.down)),
      ])
    }
    return lines.flatMap { $0.serialized() + [UInt8(ascii: "\n")] }
  }

  private static func approval(_ members: JSONObject) -> ResolveKitStandingApproval? {
    guard let id = members["id"]?.stringValue, ToolFingerprint.isOne(id),
      let verdict = members["verdict"]?.stringValue, let tool = members["tool"]?.stringValue
    else { return nil }
    let seconds = members["decided_at"].flatMap(TypeResolver.coerceInt) ?? 0
    return ResolveKitStandingApproval(
      id: id, server: members["server"]?.stringValue ?? "", toolName: tool,
      verdict: ResolveKitStandingApproval.Verdict(text: verdict),
      decidedAt: Date(timeIntervalSince1970: Double(seconds)))
  }

  private static func sorted(_ approvals: [ResolveKitStandingApproval]) -> [ResolveKitStandingApproval] {
    approvals.sorted { left, right in
      let names = (Array(left.toolName.utf8), Array(right.toolName.utf8))
      return names.0 == names.1
        ? left.id < right.id : names.0.lexicographicallyPrecedes(names.1)
    }
  }
}
