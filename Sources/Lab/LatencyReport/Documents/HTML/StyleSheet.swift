/// The report's look: one column that reads on a phone and on paper, light and dark, without anything from elsewhere.
///
/// Series colours are those of Okabe and Ito; on dark paper blue is lightened, and black becomes light grey.
enum StyleSheet {
  static let text = colours + page + tables + figures + marks + narrow + printed
  /// The part for a picture that is a document of its own.
  static let picture = colours + marks + ".plot{font-family:system-ui,\"Liberation Sans\",Arial,sans-serif}"

  private static let colours = """
    :root{color-scheme:light dark;--paper:#fff;--ink:#17191c;--soft:#5a626b;--faint:#e4e7eb;--panel:#f6f7f9;
    --line:#c9ced5;--accent:#0072b2;--good:#00704f;--bad:#b3400a;--band:#e3e6ea;--code:#f1f3f5;
    --s0:#0072b2;--s1:#d55e00;--s2:#009e73;--s3:#cc79a7;--s4:#e69f00;--s5:#56b4e9;--s6:#3a3f45}
    @media (prefers-color-scheme:dark){:root{--paper:#131518;--ink:#e8eaed;--soft:#a3abb5;--faint:#2a2e34;
    --panel:#1b1e23;--line:#434a53;--accent:#6cb8ef;--good:#4cc79c;--bad:#f2925a;--band:#2b3037;--code:#1f2329;
    --s0:#4aa3dc;--s1:#ee7a2b;--s2:#1fb98c;--s3:#d98fb8;--s4:#e9ac24;--s5:#8fd0f5;--s6:#c6ccd3}}

    """

  private static let page = """
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
    body{margin:0;background:var(--paper);color:var(--ink);
    font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Liberation Sans",Arial,sans-serif;
    overflow-wrap:anywhere}
    main{max-width:57rem;margin:0 auto;padding:2.25rem 1.25rem 4rem}
    h1{font-size:clamp(1.55rem,1.1rem + 2vw,2.3rem);line-height:1.2;letter-spacing:-.015em;margin:.3rem 0 1.4rem;
    text-wrap:balance}
    h2{font-size:1.35rem;line-height:1.3;letter-spacing:-.01em;margin:3.2rem 0 .9rem;padding-top:.9rem;
    border-top:1px solid var(--faint)}
    h3{font-size:1rem;margin:1.6rem 0 .4rem}
    p{margin:.6rem 0}
    a{color:var(--accent)}
    .kicker{margin:0;color:var(--soft);font-size:.875rem}
    .verdict{background:var(--panel);border-left:5px solid var(--accent);border-radius:0 .5rem .5rem 0;
    padding:1.1rem 1.35rem;margin:0 0 1rem}
    .verdict p{margin:0}
    .verdict .v{font-size:1.22rem;line-height:1.42;font-weight:600;text-wrap:pretty}
    .verdict .c{margin-top:.65rem;color:var(--soft)}
    .label{font-weight:600;color:var(--ink)}
    nav{font-size:.9rem;margin:1.1rem 0 0;color:var(--soft)}
    nav a{display:inline-block;margin:.15rem 1rem .15rem 0;text-decoration:none;white-space:nowrap}
    nav a:hover{text-decoration:underline}
    .note,figcaption{color:var(--soft);font-size:.875rem;line-height:1.5;max-width:46rem}
    figcaption strong{color:var(--ink);font-size:1rem}
    ul{padding-left:1.15rem;margin:.6rem 0}
    li{margin:.35rem 0}
    .honesty{background:var(--panel);border-radius:.5rem;padding:.5rem 1.35rem .8rem;margin-top:3.2rem}
    .honesty h2{border:0;margin:.4rem 0 .3rem;padding-top:.4rem}
    .rerun{position:relative;margin:.9rem 0}
    pre{margin:0;background:var(--code);border-radius:.5rem;padding:.8rem 1rem;white-space:pre-wrap;
    font:.84rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
    .rerun button{position:absolute;top:.45rem;right:.45rem;font:inherit;font-size:.78rem;padding:.2rem .65rem;
    color:var(--ink);background:var(--paper);border:1px solid var(--line);border-radius:.35rem;cursor:pointer}
    .rerun.has pre{padding-right:5rem}
    dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(15.5rem,1fr));gap:.55rem 1.6rem;margin:.9rem 0;
    font-size:.9rem;line-height:1.45}
    dl div{min-width:0}
    dt{color:var(--soft);font-size:.8rem}
    dd{margin:0;font-variant-numeric:tabular-nums}
    dl.terms{display:block}
    dl.terms div{margin:.55rem 0}
    dl.terms dt{color:var(--ink);font-weight:600;font-size:.9rem}
    dl.terms dd{color:var(--soft)}

    """

  private static let tables = """
    .scroll{overflow-x:auto;margin:0 0 .4rem;-webkit-overflow-scrolling:touch}
    .scroll:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
    table{border-collapse:collapse;width:100%;font-size:.9rem;line-height:1.4;font-variant-numeric:tabular-nums;
    overflow-wrap:break-word}
    h3.cap{margin:1.7rem 0 .1rem}
    th,td{padding:.42rem .7rem;border-bottom:1px solid var(--faint);vertical-align:baseline;
    text-align:left;font-weight:400}
    th:first-child,td:first-child{padding-left:0}
    th:last-child,td:last-child{padding-right:.1rem}
    thead th{color:var(--soft);font-size:.8rem;border-bottom:1px solid var(--line);vertical-align:bottom}
    tbody th{font-weight:500}
    td.n,th.n{text-align:right;white-space:nowrap}
    td.t,th.t{max-width:22rem;min-width:5.5rem}
    tbody th.t{min-width:7.5rem;max-width:14rem}
    @media (min-width:701px){tbody th.t{min-width:9.6rem}}
    .ci{color:var(--soft);font-size:.8rem;white-space:nowrap}
    td.w{min-width:11rem}.strong{font-weight:600}
    td.n .ci{display:block;line-height:1.25}
    .u{display:block;white-space:nowrap;opacity:.85;font-weight:400}
    .quiet{color:var(--soft)}
    .good{color:var(--good);font-weight:600}
    .bad{color:var(--bad);font-weight:600}
    .sample{width:1.65rem;height:.75rem;margin-right:.45rem;vertical-align:-.04rem}

    """

  private static let figures = """
    figure{margin:1.8rem 0 2.2rem}
    .plot{display:block;width:100%;height:auto;margin-top:.8rem;overflow:visible;font-variant-numeric:tabular-nums}
    .plot.narrow{display:none}

    """

  private static let marks = """
    .plot text{fill:var(--ink)}
    .plot .tk,.plot .ax{fill:var(--soft)}
    .plot .pt{font-weight:600;font-size:1.08em}
    .plot .vl{font-weight:600}
    .s0{--c:var(--s0)}.s1{--c:var(--s1)}.s2{--c:var(--s2)}.s3{--c:var(--s3)}.s4{--c:var(--s4)}.s5{--c:var(--s5)}
    .s6{--c:var(--s6)}.ink{--c:var(--ink)}.neutral{--c:var(--soft)}
    .gr{stroke:var(--faint);stroke-width:1;fill:none}
    .axl{stroke:var(--line);stroke-width:1;fill:none}
    .ln{fill:none;stroke:var(--c);stroke-width:2.2;stroke-linejoin:round}
    .thin{fill:none;stroke:var(--c);stroke-width:1.2;stroke-linejoin:round}
    .mk{fill:var(--c);stroke:var(--paper);stroke-width:1}
    .fl{fill:var(--c)}
    .iv{stroke:var(--c);stroke-width:2.4;fill:none;stroke-linecap:round}
    .median{stroke:var(--c);stroke-width:3;fill:none}
    .dots{stroke:var(--c);stroke-width:4.2;stroke-linecap:round;fill:none;stroke-opacity:.6}
    .nf{stroke:var(--soft);stroke-width:1.2;stroke-dasharray:3 3;fill:none}
    .due{stroke:var(--soft);stroke-width:1.4;fill:none}
    .wait{fill:var(--c);fill-opacity:.2}
    .dc{stroke:var(--ink);stroke-width:1.6;fill:none}
    .ds{stroke:var(--soft);stroke-width:1.6;fill:none}
    .cross{stroke:var(--bad);stroke-width:1.8;fill:none}
    .band{fill:var(--band)}.zero{stroke:var(--ink);stroke-width:1.2;fill:none}
    .paper{fill:var(--paper)}.ribbon{fill:var(--faint)}

    """

  private static let narrow = """
    @media screen and (max-width:700px){.plot.wide{display:none}.plot.narrow{display:block;
    max-width:29rem;margin-inline:auto}
    main{padding:1.3rem 1rem 3rem}
    dl{grid-template-columns:repeat(auto-fit,minmax(9.2rem,1fr));gap:.55rem 1rem}
    h2{margin-top:2.4rem}.verdict{padding:.9rem 1rem}.verdict .v{font-size:1.1rem}
    .honesty{padding:.4rem 1rem .6rem}.verdict,.honesty{margin-inline:-.25rem}}

    """

  private static let printed = """
    @page{margin:14mm 13mm}
    @media print{:root{color-scheme:light;--paper:#fff;--ink:#000;--soft:#444b52;--faint:#dfe2e6;--panel:#f4f5f7;
    --line:#aab1b9;--accent:#0072b2;--good:#00704f;--bad:#b3400a;--band:#e3e6ea;--code:#f1f3f5;
    --s0:#0072b2;--s1:#d55e00;--s2:#009e73;--s3:#cc79a7;--s4:#e69f00;--s5:#56b4e9;--s6:#3a3f45}
    html{font-size:78%}body{-webkit-print-color-adjust:exact;print-color-adjust:exact}
    main{max-width:none;padding:0}nav,.rerun button{display:none}
    h2,h3,figcaption{break-after:avoid}
    figure,.verdict,.honesty li,.scroll,tr,.rerun,dl div{break-inside:avoid}
    thead{display:table-header-group}.scroll{overflow:visible}
    th,td{padding:.32rem .5rem}h2{margin-top:2.2rem}}

    """
}
