import CFuzzer
import Foundation

/// The fuzz targets by name: each takes one input and traps where a promise is broken.
let targets: [String: ([UInt8]) -> Void] = [
  "datagrams": fuzzDatagrams,
  "frames": fuzzFrames,
  "http3": fuzzHTTP3,
  "events": fuzzEvents,
  "altsvc": fuzzAltSvc,
  "origins": fuzzOriginMemory,
  "tickets": fuzzTickets,
  "proxy": fuzzProxyAnswer,
  "json": fuzzJSON,
]

nonisolated(unsafe) var fuzzTarget: ([UInt8]) -> Void = { _ in }

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  fuzzTarget(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}

guard CommandLine.arguments.count > 1, let target = targets[CommandLine.arguments[1]] else {
  print("Fuzz TARGET [libFuzzer's options] [FOLDER…]; targets: \(targets.keys.sorted().joined(separator: " "))")
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
