@testable import LatencyReport

extension ParsedMarkup {
  private struct Box {
    var text: String
    var left: Double
    var right: Double
    var base: Double
    var height: Double

    init(_ element: Element, fontSize: Double) {
      let x = Double(element.attributes["x"] ?? "") ?? 0
      let isTitle = element.attributes["class"] == "pt"
      let width = TextWidth.of(element.text, fontSize: isTitle ? fontSize * 1.08 : fontSize)
      text = element.text
      left =
        switch element.attributes["text-anchor"] {
        case "middle": x - width / 2
        case "end": x - width
        default: x
        }
      right = left + width
      base = Double(element.attributes["y"] ?? "") ?? 0
      height = fontSize
    }

    func overlaps(_ other: Box) -> Bool {
      min(right, other.right) - max(left, other.left) > 1.5 && abs(base - other.base) < min(height, other.height) * 0.6
    }
  }

  /// The labels that lie on another or leave their picture, with the picture's name.
  var crowdedLabels: [String] {
    let labels = Dictionary(grouping: named("text"), by: \.picture)
    return named("svg").filter { $0.attributes["aria-hidden"] == nil }.flatMap { picture -> [String] in
      let bounds = (picture.attributes["viewBox"] ?? "").split(separator: " ").compactMap { Double($0) }
      let fontSize = Double(picture.attributes["font-size"] ?? "") ?? 13
      let boxes = (labels[picture.picture] ?? []).map { Box($0, fontSize: fontSize) }
      return boxes.enumerated().flatMap { index, box in
        var found = boxes[(index + 1)...].filter(box.overlaps).map {
          "“\(box.text)” and “\($0.text)” in \(picture.picture ?? "")"
        }
        let isInside =
          bounds.count == 4 && box.left >= -1 && box.right <= bounds[2] + 14 && box.base > 0 && box.base <= bounds[3]
        if !isInside { found.append("“\(box.text)” leaves \(picture.picture ?? "")") }
        return found
      }
    }
  }
}
