/// A configuration that names a program wherever git knows one.
struct ArmedConfiguration {
  /// The file that it is for, which the traps name.
  let name: String
  let test: TestRepository

  /// The hooks that the commands of a client, or plain ones beside them, would run.
  static let hooks = [
    "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-checkout", "post-merge", "post-rewrite",
    "reference-transaction", "post-index-change", "pre-auto-gc",
  ]

  /// A command that leaves a file of the name where ``TestRepository`` has room for it.
  static func trap(_ name: String, in test: TestRepository) -> String { "\(test.base)/trap \(name)" }

  /// The program behind the traps: most pass on what they get, as a filter does that changes nothing.
  static func program(in test: TestRepository) -> String {
    """
    #!/bin/sh
    : > '\(test.base)/fired/'"$1"
    case $1 in *-ext | *-fsmonitor | hook-* | path-*) exit 0 ;; esac
    [ $# -gt 1 ] && [ -f "$2" ] && exec cat "$2"
    exec cat

    """
  }

  private func trap(_ name: String) -> String { "\"\(Self.trap("\(self.name)-\(name)", in: test))\"" }

  var text: String {
    """

    [core]
    fsmonitor = \(trap("fsmonitor"))
    editor = \(trap("editor"))
    pager = \(trap("pager"))
    sshCommand = \(trap("ssh"))
    askPass = \(trap("askpass"))
    gitProxy = \(trap("proxy"))
    alternateRefsCommand = \(trap("alternates"))
    hooksPath = \(test.folder)/hooks
    [filter "a=b"]
    clean = \(trap("clean"))
    smudge = \(trap("smudge"))
    required = true
    [filter "p=q"]
    process = \(trap("process"))
    [filter "only=\(name)"]
    clean = \(trap("only-clean"))
    smudge = \(trap("only-smudge"))
    [diff]
    external = \(trap("external"))
    orderFile = hooks
    [diff "driver"]
    command = \(trap("command"))
    [diff "converted"]
    textconv = \(trap("textconv"))
    cachetextconv = true
    [merge "driver"]
    driver = \(trap("merge"))
    [commit]
    gpgSign = true
    verbose = true
    template = .gitattributes
    [gpg]
    program = \(test.base)/gpg-\(name)
    [gpg "ssh"]
    defaultKeyCommand = \(trap("key"))
    [log]
    showSignature = true
    [credential]
    helper = \(trap("credential"))
    [sequence]
    editor = \(trap("sequence"))
    [interactive]
    diffFilter = \(trap("interactive"))
    [pager]
    status = \(trap("pager-status"))
    diff = \(trap("pager-diff"))
    [alias]
    status = "!\(Self.trap("\(name)-alias", in: test))"
    switch = "!\(Self.trap("\(name)-alias", in: test))"
    [trailer "x"]
    key = X
    command = \(trap("trailer"))
    [remote "origin"]
    url = "ext::\(Self.trap("\(name)-ext", in: test))"
    uploadpack = \(trap("uploadpack"))
    promisor = true
    partialCloneFilter = blob:none
    [protocol]
    allow = always
    [protocol "ext"]
    allow = always
    [hook "x"]
    command = \(trap("configured"))
    event = pre-commit
    event = post-checkout
    event = post-commit
    [gc]
    auto = 1
    recentObjectsHook = \(trap("recent"))
    [maintenance]
    auto = true
    [submodule]
    recurse = true
    [status]
    submoduleSummary = true

    """
  }
}
