/// Markdown in the making, block by block.
struct MarkdownDocument {
  private var blocks: [String] = []

  var text: String { blocks.joined(separator: "\n\n") + "\n" }

  mutating func add(_ block: String?) {
    if let block, !block.isEmpty { blocks.append(block) }
  }

  mutating func add(_ header: Header) {
    let provenance = header.provenance
    add("## " + MarkdownText.escaped(header.question))
    add("**\(MarkdownText.escaped(header.verdict))**")
    add("What would change it: " + MarkdownText.escaped(header.caveat))
    let facts =
      [provenance.machine, provenance.kernel, "seed \(provenance.seed)", provenance.started]
      + provenance.settings.map { "\($0.name): \($0.value)" }
    add(MarkdownText.escaped(facts.filter { !$0.isEmpty }.joined(separator: " · ")))
    add("Run it again:\n\n" + MarkdownText.block(provenance.rerunCommand))
  }

  mutating func addList(_ title: String, _ sentences: [String]) {
    add("**\(MarkdownText.escaped(title))**")
    add(sentences.map { "- " + MarkdownText.escaped($0) }.joined(separator: "\n"))
  }
}
