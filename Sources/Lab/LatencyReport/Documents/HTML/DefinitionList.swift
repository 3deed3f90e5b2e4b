/// The metrics' definitions; metrics with the same definition share an entry.
struct DefinitionList {
  let metrics: [Metric]

  var markup: Markup {
    var entries: [(labels: [String], definition: String)] = []
    for metric in metrics {
      if let index = entries.firstIndex(where: { $0.definition == metric.definition }) {
        entries[index].labels.append(metric.label)
      } else {
        entries.append(([metric.label], metric.definition))
      }
    }
    return HTMLPage.values(
      entries.map { NamedValue($0.labels.joined(separator: ", "), $0.definition) }, style: "terms")
  }
}
