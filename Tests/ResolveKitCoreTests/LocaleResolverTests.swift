import ResolveKitCore
import Testing

struct LocaleResolverTests {
  @Test(arguments: [
    ("de", "de"), ("de-AT", "de"), ("DE_at", "de"), (" fr-CA\n", "fr"), ("pt-BR", "pt-br"), ("pt_PT", "pt"),
    ("zh-Hans", "zh-cn"), ("zh_hant", "zh-tw"), ("zh-Hant-HK", "zh"), ("en-GB", "en-gb"), ("en-US", "en"),
    ("es-419", "es"), ("es-AR", "es-ar"), ("xx", "en"), ("", "en"), ("-", "en"), ("e\u{301}n", "en"), ("C", "en"),
  ])
  func wishes(wish: String, locale: String) {
    #expect(ResolveKitLocaleResolver.resolve(locale: wish) == locale)
  }

  @Test(
    arguments: [
      (nil, ["xx", "lt-LT", "de"], "lt"), ("xx", ["sv"], "sv"), ("fi", ["sv"], "fi"), (nil, [], "en"),
      ("xx", ["yy", ""], "en"),
    ] as [(String?, [String], String)])
  func preferredLocalesComeAfterTheWish(wish: String?, preferred: [String], locale: String) {
    #expect(ResolveKitLocaleResolver.resolve(locale: wish, preferredLocales: preferred) == locale)
  }

  @Test func everyKnownLocaleIsItself() {
    let all = ResolveKitLocaleResolver.supportedLocales
    #expect(all.count == 49)
    #expect(Set(all).count == 49)
    for locale in all {
      #expect(ResolveKitLocaleResolver.match(locale) == locale)
      #expect(ResolveKitLocaleResolver.match(locale.uppercased()) == locale)
    }
  }
}
