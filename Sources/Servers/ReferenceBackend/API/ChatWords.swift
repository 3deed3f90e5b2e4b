import ResolveKitCore

/// The chat's words by locale: those that are known, else those of the language, else English.
enum ChatWords {
  static func of(_ locale: String) -> ResolveKitChatLocalization {
    let language = String(locale.prefix { $0 != "-" })
    let words = table[locale] ?? table[language] ?? table[ResolveKitLocaleResolver.fallback]
    var localization = ResolveKitChatLocalization.english
    localization.locale = locale
    if let (title, placeholder, greeting) = words {
      localization.chatTitle = title
      localization.messagePlaceholder = placeholder
      localization.initialMessage = greeting
    }
    return localization
  }

  private static let table: [String: (title: String, placeholder: String, greeting: String)] = [
    "en": ("Support Chat", "Message", "Hello! How can I help you today?"),
    "cs": ("Chat s podporou", "Zpráva", "Dobrý den! Jak vám mohu dnes pomoci?"),
    "da": ("Supportchat", "Besked", "Hej! Hvad kan jeg hjælpe med i dag?"),
    "de": ("Support-Chat", "Nachricht", "Hallo! Wie kann ich heute helfen?"),
    "es": ("Chat de soporte", "Mensaje", "¡Hola! ¿En qué puedo ayudarte hoy?"),
    "et": ("Klienditoe vestlus", "Sõnum", "Tere! Kuidas saan täna aidata?"),
    "fi": ("Tukichat", "Viesti", "Hei! Miten voin auttaa tänään?"),
    "fr": ("Chat d’assistance", "Message", "Bonjour ! Comment puis-je vous aider aujourd’hui ?"),
    "it": ("Chat di assistenza", "Messaggio", "Ciao! Come posso aiutarti oggi?"),
    "ja": ("サポートチャット", "メッセージ", "こんにちは。本日はどのようなご用件でしょうか?"),
    "ko": ("고객 지원 채팅", "메시지", "안녕하세요! 무엇을 도와드릴까요?"),
    "lt": ("Pagalbos pokalbis", "Žinutė", "Sveiki! Kuo galiu šiandien padėti?"),
    "lv": ("Atbalsta tērzēšana", "Ziņa", "Sveiki! Kā varu šodien palīdzēt?"),
    "nl": ("Supportchat", "Bericht", "Hallo! Waarmee kan ik vandaag helpen?"),
    "no": ("Kundechat", "Melding", "Hei! Hva kan jeg hjelpe deg med i dag?"),
    "pl": ("Czat z pomocą", "Wiadomość", "Cześć! W czym mogę dziś pomóc?"),
    "pt": ("Chat de suporte", "Mensagem", "Olá! Como posso ajudar hoje?"),
    "ru": ("Чат поддержки", "Сообщение", "Здравствуйте! Чем могу помочь сегодня?"),
    "sv": ("Supportchatt", "Meddelande", "Hej! Hur kan jag hjälpa till i dag?"),
    "tr": ("Destek sohbeti", "Mesaj", "Merhaba! Bugün size nasıl yardımcı olabilirim?"),
    "uk": ("Чат підтримки", "Повідомлення", "Вітаю! Чим можу допомогти сьогодні?"),
    "zh": ("客服聊天", "消息", "您好!今天有什么可以帮您?"),
    "zh-tw": ("客服聊天", "訊息", "您好!今天有什麼可以幫您?"),
  ]
}
