/// The endpoint's start.
@main enum InteropEndpoint {
  static func main() async {}
}
