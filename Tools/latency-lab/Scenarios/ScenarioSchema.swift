/// JSON Schema 2020-12 of scenario files, for editors and for other programs.
enum ScenarioSchema {
  static var document: JSONNode {
    var schema = ScenarioShape.scenario.schema
    schema["$schema"] = .text("https://json-schema.org/draft/2020-12/schema")
    schema["title"] = .text("Scenario of latency-lab")
    schema["description"] = .text(
      "A link and what it has to carry. Delays are one way and in milliseconds, rates in bits of IP packets a second, "
        + "sizes in bytes, probabilities from 0 to 1.")
    // So that a file may say which schema an editor should use.
    if var properties = schema["properties"] {
      properties["$schema"] = .object(["type": .text("string"), "description": .text("The address of this schema.")])
      schema["properties"] = properties
    }
    return schema
  }

  static var text: String { document.document }
}
