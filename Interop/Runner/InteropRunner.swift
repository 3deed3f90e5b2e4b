import ArgumentParser

/// Runs the matrix.
@main struct InteropRunner: AsyncParsableCommand {}
