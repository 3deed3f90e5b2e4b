/// A figure is drawn twice, so that its letters have a readable size on a phone too; the style sheet shows one.
package enum PlotSize: String, CaseIterable, Sendable {
  case wide, narrow

  var width: Double {
    switch self {
    case .wide: 860
    case .narrow: 344
    }
  }

  var fontSize: Double {
    switch self {
    case .wide: 13
    case .narrow: 11.5
    }
  }

  var lineHeight: Double { (fontSize * 1.4).rounded() }

  func choose<Value>(wide: Value, narrow: Value) -> Value {
    switch self {
    case .wide: wide
    case .narrow: narrow
    }
  }
}
