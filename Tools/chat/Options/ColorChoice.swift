import ArgumentParser

/// The value of `--color`; the names of `OutputStyle.Choice`.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto
  case always
  case never
}
