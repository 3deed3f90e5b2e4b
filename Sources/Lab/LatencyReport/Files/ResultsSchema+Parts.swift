extension ResultsSchema {
  static let header = """
    "header": {
      "type": "object", "required": ["question", "verdict", "caveat", "provenance", "honesty"],
      "additionalProperties": false,
      "properties": {
        "question": { "type": "string" }, "verdict": { "type": "string" }, "caveat": { "type": "string" },
        "honesty": { "$ref": "#/$defs/strings" },
        "provenance": {
          "type": "object",
          "required": [
            "started", "finished", "commandLine", "rerunCommand", "seed", "machine", "kernel", "versions", "settings",
            "loadBefore", "loadAfter", "calibration", "noiseFloorMilliseconds", "isSimulated"
          ],
          "additionalProperties": false,
          "properties": {
            "started": { "type": "string", "description": "ISO 8601, UTC." }, "finished": { "type": "string" },
            "commandLine": { "$ref": "#/$defs/strings" }, "rerunCommand": { "type": "string" },
            "seed": { "type": "integer", "minimum": 0 }, "machine": { "type": "string" },
            "kernel": { "type": "string" }, "versions": { "$ref": "#/$defs/namedValues" },
            "settings": { "$ref": "#/$defs/namedValues" }, "loadBefore": { "type": "number" },
            "loadAfter": { "type": "number" }, "noiseFloorMilliseconds": { "type": "number", "minimum": 0 },
            "isSimulated": { "type": "boolean" },
            "calibration": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["packetsPerSecond", "p50Microseconds", "p99Microseconds", "p999Microseconds"],
                "additionalProperties": false,
                "properties": {
                  "packetsPerSecond": { "type": "integer" }, "p50Microseconds": { "type": "number" },
                  "p99Microseconds": { "type": "number" }, "p999Microseconds": { "type": "number" }
                }
              }
            }
          }
        }
      }
    }
    """

  static let scenario = """
    "scenario": {
      "type": "object",
      "required": ["name", "about", "source", "link", "workload", "streams", "tokensPerSecond", "eventBytes"],
      "additionalProperties": false,
      "properties": {
        "name": { "type": "string" }, "about": { "type": "string" }, "source": { "type": "string" },
        "workload": { "type": "string" }, "streams": { "type": "integer" }, "tokensPerSecond": { "type": "number" },
        "eventBytes": { "type": "integer" }, "downloadBytes": { "type": "integer" },
        "link": {
          "description": "Conditions each way; stages that are absent are not on the link.",
          "type": "object", "required": ["toClient", "toServer"],
          "properties": {
            "toClient": { "$ref": "#/$defs/oneWay" }, "toServer": { "$ref": "#/$defs/oneWay" },
            "rebinding": { "type": "object" }
          }
        }
      }
    },
    "oneWay": {
      "type": "object", "required": ["oneWayDelayMilliseconds"],
      "properties": {
        "oneWayDelayMilliseconds": { "type": "number" }, "rateBitsPerSecond": { "type": "number" },
        "queueBytes": { "type": "integer" }, "queuePackets": { "type": "integer" }, "loss": { "type": "object" }
      }
    }
    """

  static let rules = """
    "rules": {
      "description": "By what runs were judged and discarded, and whether that was fixed before the first one.",
      "type": "object", "required": ["stated", "serverLatenessBoundMilliseconds"], "additionalProperties": false,
      "properties": {
        "stated": { "enum": ["beforeRuns", "afterRuns"] }, "serverLatenessBoundMilliseconds": { "type": "number" },
        "equivalenceMilliseconds": { "type": "number" }, "headlineMetric": { "$ref": "#/$defs/metric" },
        "headlineArm": { "type": "string" }, "headlineBaseline": { "type": "string" },
        "disturbance": {
          "description": "Absent: runs that a busy machine disturbed were kept.",
          "type": "object", "required": ["linkLatenessMilliseconds", "stealPercent", "pressurePercent"],
          "additionalProperties": false,
          "properties": {
            "linkLatenessMilliseconds": { "type": "number" }, "stealPercent": { "type": "number" },
            "pressurePercent": { "type": "number" }
          }
        }
      }
    }
    """

  static let arm = """
    "arm": {
      "type": "object",
      "required": [
        "name", "label", "client", "server", "isControl", "notes", "runs", "summary", "realisedLoss",
        "runsWithoutEvents"
      ],
      "additionalProperties": false,
      "properties": {
        "name": { "type": "string" }, "label": { "type": "string" }, "client": { "type": "string" },
        "server": { "type": "string" }, "isControl": { "type": "boolean" }, "notes": { "$ref": "#/$defs/strings" },
        "runsWithoutEvents": { "type": "integer", "minimum": 0 },
        "runs": {
          "type": "array",
          "items": {
            "type": "object", "required": ["repetition", "seed", "values", "events"],
            "additionalProperties": false,
            "properties": {
              "repetition": { "type": "integer" }, "events": { "type": "integer", "minimum": 0 },
              "seed": { "type": "integer", "minimum": 0 },
              "load": {
                "type": "object", "additionalProperties": false,
                "properties": { "stealPercent": { "type": "number" }, "pressurePercent": { "type": "number" } }
              },
              "failure": { "type": "string" }, "rawMinimumExcess": { "type": "number" },
              "attributedEvents": { "type": "integer", "minimum": 0 },
              "values": {
                "type": "object", "propertyNames": { "$ref": "#/$defs/metric" },
                "additionalProperties": { "type": "number" }
              }
            }
          }
        },
        "summary": { "type": "array", "items": { "$ref": "#/$defs/summary" } },
        "realisedLoss": {
          "type": "array",
          "items": {
            "type": "object", "required": ["direction", "packets", "lost", "lowPercent", "highPercent", "drops"],
            "additionalProperties": false,
            "properties": {
              "direction": { "$ref": "#/$defs/direction" }, "packets": { "type": "integer", "minimum": 0 },
              "lost": { "type": "integer", "minimum": 0 }, "configuredPercent": { "type": "number" },
              "lowPercent": { "type": "number" }, "highPercent": { "type": "number" },
              "drops": { "type": "object", "additionalProperties": { "type": "integer" } }
            }
          }
        }
      }
    },
    "summary": {
      "description": "spread says whether low and high are the median's 95 % interval or the range of too few runs.",
      "type": "object", "required": ["metric", "median", "low", "high", "spread", "runs", "seeds"],
      "additionalProperties": false,
      "properties": {
        "metric": { "$ref": "#/$defs/metric" }, "median": { "type": "number" }, "low": { "type": "number" },
        "high": { "type": "number" }, "spread": { "enum": ["interval95", "range"] },
        "runs": { "type": "integer", "minimum": 1 }, "seeds": { "type": "integer", "minimum": 1 }
      }
    },
    "comparison": {
      "description": "Paired differences, baseline - arm. median: where a difference was found; low and high: of its 95 % interval, of tooFew the range, of belowNoiseFloor absent.",
      "type": "object",
      "required": ["metric", "baseline", "arm", "role", "differences", "seeds", "noiseFloor", "finding"],
      "additionalProperties": false,
      "properties": {
        "metric": { "$ref": "#/$defs/metric" }, "baseline": { "type": "string" }, "arm": { "type": "string" },
        "role": { "enum": ["primary", "exploratory"] }, "seeds": { "type": "integer", "minimum": 1 },
        "noiseFloor": { "type": "number", "minimum": 0 }, "bound": { "type": "number" },
        "correctedP": { "type": "number", "minimum": 0, "maximum": 1 },
        "median": { "type": "number" }, "low": { "type": "number" }, "high": { "type": "number" },
        "finding": {
          "enum": ["armBetter", "baselineBetter", "equivalent", "undecided", "belowNoiseFloor", "tooFew"]
        },
        "differences": {
          "type": "array",
          "items": {
            "type": "object", "required": ["repetition", "seed", "difference", "certainty"], "additionalProperties": false,
            "properties": {
              "repetition": { "type": "integer" }, "seed": { "type": "integer", "minimum": 0 },
              "difference": { "type": "number" },
              "certainty": {
                "description": "Other than exact where the deadline cut off a run of the pair.",
                "enum": ["exact", "atLeast", "atMost", "unknown"]
              }
            }
          }
        }
      }
    },
    "companion": {
      "type": "object", "required": ["scenario", "verdict", "arms"], "additionalProperties": false,
      "properties": {
        "scenario": { "$ref": "#/$defs/scenario" }, "verdict": { "type": "string" },
        "arms": {
          "type": "array",
          "items": {
            "type": "object", "required": ["name", "label", "server", "summary"], "additionalProperties": false,
            "properties": {
              "name": { "type": "string" }, "label": { "type": "string" }, "server": { "type": "string" },
              "summary": { "type": "array", "items": { "$ref": "#/$defs/summary" } }
            }
          }
        }
      }
    }
    """

  static let plots = """
    "plots": {
      "type": "object", "required": ["distributions", "timelines"], "additionalProperties": false,
      "properties": {
        "distributions": {
          "type": "array",
          "items": {
            "type": "object", "required": ["arm", "points"], "additionalProperties": false,
            "properties": {
              "arm": { "type": "string" },
              "points": {
                "type": "array",
                "items": {
                  "type": "object", "required": ["quantile", "milliseconds"], "additionalProperties": false,
                  "properties": {
                    "quantile": { "type": "number", "minimum": 0, "maximum": 1 }, "milliseconds": { "type": "number" }
                  }
                }
              }
            }
          }
        },
        "timelines": { "type": "array", "items": { "$ref": "#/$defs/timeline" } }
      }
    },
    "samples": {
      "type": "array",
      "items": {
        "type": "object", "required": ["at", "value"], "additionalProperties": false,
        "properties": { "at": { "type": "number" }, "value": { "type": "number" } }
      }
    },
    "timeline": {
      "description": "One run; times in milliseconds from its schedule's start.",
      "type": "object", "required": ["arm", "repetition", "events", "drops", "stalls", "queue", "delay", "leftOut"],
      "additionalProperties": false,
      "properties": {
        "arm": { "type": "string" }, "repetition": { "type": "integer" },
        "leftOut": { "type": "integer", "minimum": 0 },
        "queue": { "$ref": "#/$defs/samples" }, "delay": { "$ref": "#/$defs/samples" },
        "events": {
          "type": "array",
          "items": {
            "type": "object", "required": ["stream", "scheduled"], "additionalProperties": false,
            "properties": {
              "stream": { "type": "integer" }, "scheduled": { "type": "number" }, "received": { "type": "number" }
            }
          }
        },
        "drops": {
          "type": "array",
          "items": {
            "type": "object", "required": ["at", "direction", "cause"], "additionalProperties": false,
            "properties": {
              "at": { "type": "number" }, "direction": { "$ref": "#/$defs/direction" }, "cause": { "type": "string" }
            }
          }
        },
        "stalls": {
          "type": "array",
          "items": {
            "type": "object", "required": ["stream", "from", "to"], "additionalProperties": false,
            "properties": {
              "stream": { "type": "integer" }, "from": { "type": "number" }, "to": { "type": "number" }
            }
          }
        }
      }
    }
    """
}
