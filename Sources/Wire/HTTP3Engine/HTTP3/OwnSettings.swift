import CQUIC

extension nghttp3_settings {
  /// Ours, but for what the library has no place for.
  static func own(_ configuration: ConnectionConfiguration) -> nghttp3_settings {
    var settings = nghttp3_settings()
    CQUIC_http_settings_default(&settings)
    settings.max_field_section_size = min(UInt64(clamping: configuration.maximumFieldSectionSize), 1 << 60)
    settings.qpack_max_dtable_capacity = 4_096
    // The library's encoder (1.8, and later ones) counts by its own table's size where the peer counts by the size that it
    // allows (RFC 9204 § 4.5.1.1): a browser, which allows 64 KiB, could not read the 255th field section.
    settings.qpack_encoder_max_dtable_capacity = 0
    settings.qpack_blocked_streams = 100
    settings.h3_datagram = configuration.takesDatagrams ? 1 : 0
    return settings
  }
}
