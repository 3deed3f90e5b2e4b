/// The JSON Schema (2020-12) of `results.json`, version 2, as text.
package enum ResultsSchema {
  package static let name = "results.schema.json"

  package static var text: String {
    """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Results of one latency experiment",
      "description": "Times are milliseconds and shares are percent unless a name says otherwise.",
      "type": "object",
      "required": ["version", "header", "scenario", "rules", "arms", "comparisons", "discarded", "budgets", "plots", "companions"],
      "additionalProperties": false,
      "properties": {
        "version": { "const": \(ExperimentResults.currentVersion) },
        "header": { "$ref": "#/$defs/header" },
        "scenario": { "$ref": "#/$defs/scenario" },
        "rules": { "$ref": "#/$defs/rules" },
        "arms": { "type": "array", "items": { "$ref": "#/$defs/arm" } },
        "comparisons": {
          "description": "The headline pair first, and of it the headline metric.",
          "type": "array", "items": { "$ref": "#/$defs/comparison" }
        },
        "discarded": {
          "type": "array",
          "items": {
            "type": "object", "required": ["arm", "repetition", "reason", "rule"], "additionalProperties": false,
            "properties": {
              "arm": { "type": "string" },
              "repetition": { "type": "integer", "description": "Negative: warm-up." },
              "reason": {
                "enum": ["warmUp", "nothingCame", "serverLate", "linkLate", "steal", "pressure", "notMade", "twice"]
              },
              "rule": { "type": "string" }
            }
          }
        },
        "budgets": {
          "type": "array",
          "items": {
            "type": "object", "required": ["arm", "metric", "limit", "isKept"], "additionalProperties": false,
            "properties": {
              "arm": { "type": "string" }, "metric": { "$ref": "#/$defs/metric" },
              "limit": { "type": "number" }, "isKept": { "type": "boolean" },
              "value": { "type": "number", "description": "Absent: it could not be measured, and the budget is missed." }
            }
          }
        },
        "plots": { "$ref": "#/$defs/plots" },
        "companions": { "type": "array", "items": { "$ref": "#/$defs/companion" } }
      },
      "$defs": {
    \(definitions)
      }
    }

    """
  }

  private static var definitions: String {
    [metric, header, scenario, rules, arm, plots].joined(separator: ",\n").split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .map { "    " + $0 }.joined(separator: "\n")
  }

  private static var metric: String {
    let names = Metric.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return """
      "metric": { "enum": [\(names)] },
      "direction": { "enum": ["toClient", "toServer"] },
      "strings": { "type": "array", "items": { "type": "string" } },
      "namedValues": {
        "type": "array",
        "items": {
          "type": "object", "required": ["name", "value"], "additionalProperties": false,
          "properties": { "name": { "type": "string" }, "value": { "type": "string" } }
        }
      }
      """
  }
}
