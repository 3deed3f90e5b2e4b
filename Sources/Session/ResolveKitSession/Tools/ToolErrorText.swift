import Foundation
import ResolveKitCore

/// A tool's error in its own words; the model can act on them.
enum ToolErrorText {
  static func sentence(_ error: any Error) -> String {
    switch error {
    case let error as ResolveKitFunctionError: error.description
    case is CancellationError: "The tool was cancelled."
    case let error as any LocalizedError: error.errorDescription ?? "\(error)"
    case let error as NSError: error.localizedDescription
    default: "\(error)"
    }
  }
}
