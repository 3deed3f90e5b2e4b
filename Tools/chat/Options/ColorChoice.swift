import ArgumentParser

/// What `--color` asks for; the names of `OutputStyle.Choice`.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto
  case always
  case never
}
