import CFuzzer
import Foundation
import FuzzTargets

nonisolated(unsafe) var fuzzTarget = FuzzTarget.datagrams

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  fuzzTarget.run(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}

// Drawn by a seed, and not by the fuzzer: see CryptoCampaign.
if CommandLine.arguments.count == 5, CommandLine.arguments[1] == "campaign",
  let handshakes = Int(CommandLine.arguments[2]), let messages = Int(CommandLine.arguments[3]),
  let seed = UInt64(CommandLine.arguments[4])
{
  runCampaign(handshakes: handshakes, messages: messages, seed: seed)
  exit(0)
}
guard CommandLine.arguments.count > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1]) else {
  let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: " ")
  print("Fuzz TARGET [libFuzzer's options] [FOLDER…]; targets: \(names)")
  print("Fuzz campaign HANDSHAKES MESSAGES SEED")
  exit(2)
}
fuzzTarget = target
// Without the target's name.
var count = CommandLine.argc - 1
var pointers: [UnsafeMutablePointer<CChar>?] = []
for index in 0..<Int(CommandLine.argc) where index != 1 { pointers.append(CommandLine.unsafeArgv[index]) }
pointers.append(nil)
let status = pointers.withUnsafeMutableBufferPointer { buffer in
  var base: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = buffer.baseAddress
  return withUnsafeMutablePointer(to: &base) { pointer in
    pointer.withMemoryRebound(to: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?.self, capacity: 1) {
      LLVMFuzzerRunDriver(&count, $0, fuzzOneInput)
    }
  }
}
exit(status)
