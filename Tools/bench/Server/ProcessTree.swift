import Foundation
import Processes

/// A process and those that it has started, as nginx has its workers.
struct ProcessTree {
  private let root: Int32

  init(of root: Int32) { self.root = root }

  /// Seconds of the processor that all of them have used.
  var processor: Double { members.reduce(0) { $0 + (ResourceUsage.processor(of: $1) ?? 0) } }
  /// Bytes in memory that are not a file's.
  var memory: Double { members.reduce(0) { $0 + Double(ProcessMemory(of: $1).anonymous ?? 0) } }

  private var members: [Int32] {
    let children = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(root)/task")) ?? []
    let found = children.flatMap { thread in
      let text = try? String(contentsOfFile: "/proc/\(root)/task/\(thread)/children", encoding: .utf8)
      return (text ?? "").split(separator: " ").compactMap { Int32($0) }
    }
    return found.reduce(into: [root]) { $0 += ProcessTree(of: $1).members }
  }
}
