/// Packets through two engines in memory: how many a second, and what each costs.
struct EngineSection {
  let packets: Int
  let programs: Programs

  private func command(_ packets: Int) -> [String] {
    programs.ours + ["engine", programs.chain, programs.key, programs.authority, String(packets)]
  }

  func run() throws -> [ComparisonTable] {
    var speed = Median()
    for _ in 0..<3 {
      let measured = try ChildProcess.measure(command(packets), as: EnginePeer.Measured.self)
      speed.add(Double(measured.packets) / measured.cpuS)
    }
    let counted = counts()
    return [
      ComparisonTable(
        section: "engine in memory, both ends", title: "per packet written and read",
        columns: ["packets/cpu_s", "instructions", "retains+releases", "objects", "access_checks"],
        rows: [ComparisonTable.Row(name: "ours", values: [speed.value] + counted)])
    ]
  }

  /// The cost of 10 000 more packets, so that the handshake does not count.
  private func counts() -> [Double?] {
    guard InstructionCounter.isAvailable(programs) else { return [nil, nil, nil, nil] }
    let runs = [5_000, 15_000].map { packets -> (InstructionCounter, Double)? in
      guard let counter = InstructionCounter.count(command(packets), programs),
        let measured = try? ChildProcess.decode(EnginePeer.Measured.self, lastOf: counter.output)
      else { return nil }
      return (counter, Double(measured.packets))
    }
    guard let (few, fewPackets) = runs[0], let (many, manyPackets) = runs[1], manyPackets > fewPackets else {
      return [nil, nil, nil, nil]
    }
    let more = manyPackets - fewPackets
    let functions = [["swift_retain", "swift_release"], ["swift_allocObject"], ["swift_beginAccess"]]
    return [(many.instructions - few.instructions) / more]
      + functions.map { names in
        names.reduce(0) { $0 + (many.calls(of: $1) - few.calls(of: $1)) } / more
      }
  }
}
