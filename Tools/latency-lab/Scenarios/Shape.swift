/// The shape of a part of a scenario file. Documents are validated against it; their JSON Schema is generated from it.
indirect enum Shape: Sendable {
  case text(most: Int)
  case flag
  case number(NumberRange)
  case integer(NumberRange)
  case list(of: Shape, NumberRange)
  /// Members by name, in any order, none but these.
  case object([Field])
  /// Exactly one of the members: its name says which kind of thing it is.
  case choice([Field])
  /// A link: either both directions, or one for both ways.
  case link([Field])

  /// A member of an object.
  struct Field: Sendable {
    var name: String
    /// For the schema's readers.
    var about: String
    var shape: Shape
    var isRequired: Bool

    init(_ name: String, _ about: String, _ shape: Shape, isRequired: Bool = false) {
      self.name = name
      self.about = about
      self.shape = shape
      self.isRequired = isRequired
    }
  }

  struct NumberRange: Sendable {
    var least: Double
    var most: Double
    /// Whether `least` itself is too small.
    var excludesLeast = false
    /// A hint about common mistakes.
    var hint: String?

    init(_ least: Double, _ most: Double, excludesLeast: Bool = false, hint: String? = nil) {
      self.least = least
      self.most = most
      self.excludesLeast = excludesLeast
      self.hint = hint
    }

    func contains(_ number: Double) -> Bool {
      (excludesLeast ? number > least : number >= least) && number <= most
    }

    var words: String {
      let low = "\(excludesLeast ? "more than " : "")\(JSONNode.digits(of: least))"
      return "\(low) to \(JSONNode.digits(of: most))" + (hint.map { "; \($0)" } ?? "")
    }
  }

  /// The members, if it has any.
  var fields: [Field]? {
    switch self {
    case .object(let fields), .choice(let fields), .link(let fields): fields
    case .text, .flag, .number, .integer, .list: nil
    }
  }

  /// The rest of a sentence that begins with "allowed is".
  var words: String {
    switch self {
    case .text(let most): "a text of 1 to \(most) characters"
    case .flag: "true or false"
    case .number(let range): "a number, \(range.words)"
    case .integer(let range): "a whole number, \(range.words)"
    case .list(_, let range): "a list of \(range.words)"
    case .object(let fields): "an object with \(Self.names(fields))"
    case .choice(let fields): "an object with one of \(Self.names(fields))"
    case .link: "an object with toClient and toServer, or with bothWays"
    }
  }

  static func names(_ fields: [Field]) -> String {
    fields.map(\.name).joined(separator: ", ")
  }
}
