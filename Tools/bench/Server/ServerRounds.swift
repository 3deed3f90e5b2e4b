import ArgumentParser
import Foundation

/// Loads on each of some servers in turn, over and over, and the medians of what they cost.
struct ServerRounds {
  let subjects: [ServerSubject]
  let rounds: Int
  let programs: Programs

  /// Operations that end, counted and timed by the client.
  ///
  /// - Parameter few: the operations that instructions are counted over; nil for no count.
  func table(
    _ section: String, _ target: ServerSubject.Target, _ mode: LoadPeer.Mode, _ count: Int, _ options: [String],
    few: Int?, base: ServerSubject
  ) throws -> ComparisonTable {
    let rows = try rows(of: target, columns: 3) { server, path in
      // What is done once is done before.
      _ = try measure(server, mode, path, max(count / 20, 8), options)
      let before = server.tree.processor
      let measured = try measure(server, mode, path, count, options)
      // The last connections' ends.
      Thread.sleep(forTimeInterval: 0.2)
      let used = server.tree.processor - before
      try check(measured, mode, count, server.subject)
      return [used / Double(count) * 1e6, measured.p50Us, measured.p99Us]
    }
    let counted = rows.map { row in
      var row = row
      row.values.append(
        few.flatMap { few in
          ServerSubject(rawValue: row.name).flatMap { instructions(of: $0, target, mode, few, options) }
        })
      return row
    }
    return ComparisonTable(
      section: "\(section) (\(count) in each of \(rounds) rounds)", title: "server",
      columns: ["cpu_us", "p50_us", "p99_us", "instructions"], rows: counted, base: base.rawValue)
  }

  /// Streams of events, each to a connection of its own.
  func fanOut(streams: Int, period: Int, seconds: Int) throws -> ComparisonTable {
    let rows = try rows(of: .events, columns: 4) { server, path in
      let (memory, measured, used) = try hold(server, .events, "\(path)/\(period)", streams, seconds)
      let events = Double(max(measured.operations, 1))
      return [used / events * 1e6, measured.p50Us, measured.p99Us, memory]
    }
    return ComparisonTable(
      section: "\(streams) streams of events, one every \(period) ms (\(seconds) s in each of \(rounds) rounds)",
      title: "server", columns: ["cpu_us/event", "late p50_us", "late p99_us", "KiB/stream"], rows: rows,
      base: ServerSubject.quicGo.rawValue)
  }

  /// Requests without an end: what a server holds for one that says nothing.
  func held(streams: Int) throws -> ComparisonTable {
    let rows = try rows(of: .hold, columns: 1) { server, path in
      [try hold(server, .hold, path, streams, 1).memory]
    }
    return ComparisonTable(
      section: "\(streams) open requests without an end (\(rounds) rounds)", title: "server", columns: ["KiB/stream"],
      rows: rows, base: ServerSubject.gtlsserver.rawValue)
  }

  // MARK: Parts

  /// The medians for each server that has the target, which is started afresh in each round.
  private func rows(
    of target: ServerSubject.Target, columns: Int, _ round: (ServerUnderLoad, String) throws -> [Double]
  ) throws -> [ComparisonTable.Row] {
    let able = subjects.filter { $0.path(of: target) != nil }
    var medians = [ServerSubject: [Median]](
      uniqueKeysWithValues: able.map { ($0, Array(repeating: Median(), count: columns)) })
    for _ in 0..<rounds {
      for subject in able {
        guard medians[subject] != nil, let path = subject.path(of: target) else { continue }
        let server = try ServerUnderLoad(subject, programs)
        defer { server.end() }
        do {
          for (index, value) in try round(server, path).enumerated() { medians[subject]?[index].add(value) }
        } catch {
          programs.note("\(subject.rawValue) fails: \(error)")
          medians[subject] = nil
        }
      }
    }
    return able.compactMap { subject in
      medians[subject].map { ComparisonTable.Row(name: subject.rawValue, values: $0.map(\.value)) }
    }
  }

  private func measure(
    _ server: ServerUnderLoad, _ mode: LoadPeer.Mode, _ path: String, _ count: Int, _ options: [String]
  ) throws -> LoadPeer.Measured {
    try ChildProcess.measure(server.command(mode, path, count, options), as: LoadPeer.Measured.self)
  }

  /// A resumption that was refused would be counted as the full handshake that it became.
  private func check(
    _ measured: LoadPeer.Measured, _ mode: LoadPeer.Mode, _ count: Int, _ subject: ServerSubject
  ) throws {
    guard measured.operations == count else { throw ValidationError("\(measured.operations) of \(count) were done.") }
    if mode == .resumed || mode == .early, measured.resumed < count * 95 / 100 {
      throw ValidationError("it resumed \(measured.resumed) of \(count) sessions")
    }
    if mode == .early, measured.early < count * 95 / 100 {
      throw ValidationError("it took early data from \(measured.early) of \(count) connections")
    }
  }

  /// Memory for each stream, in KiB, and the processor's time while all are open.
  private func hold(
    _ server: ServerUnderLoad, _ mode: LoadPeer.Mode, _ path: String, _ streams: Int, _ seconds: Int
  ) throws -> (memory: Double, measured: LoadPeer.Measured, used: Double) {
    let options = ["--seconds", String(seconds)]
    // What a process has once is not a stream's.
    let first = try ChildProcess.start(server.command(mode, path, 8, ["--seconds", "0"]))
    _ = first.firstLine()
    let before = server.tree.memory
    let load = try ChildProcess.start(server.command(mode, path, streams, options))
    guard load.firstLine() == "open" else { throw ValidationError("not all streams open") }
    let memory = (server.tree.memory - before) / Double(streams) / 1_024
    let start = server.tree.processor
    let line = load.firstLine()
    let used = server.tree.processor - start
    return (memory, try ChildProcess.decode(LoadPeer.Measured.self, lastOf: line), used)
  }

  /// The instructions of one more operation.
  private func instructions(
    of subject: ServerSubject, _ target: ServerSubject.Target, _ mode: LoadPeer.Mode, _ few: Int, _ options: [String]
  ) -> Double? {
    guard subject.isCountable, let path = subject.path(of: target), InstructionCounter.isAvailable(programs) else {
      return nil
    }
    let counts = [few, 3 * few].map { count in
      InstructionCounter.count(programs) { tool in
        let server = try ServerUnderLoad(subject, programs, tool: tool)
        defer { server.end() }
        _ = try measure(server, mode, path, count, options)
      }
    }
    guard let less = counts[0], let more = counts[1] else { return nil }
    return (more - less) / Double(2 * few)
  }
}
