/// How the page looks: one accent, the reader's own typeface, light or dark as the reader's system is.
enum PageStyle {
  package static let text = """
    :root { color-scheme: light dark;
      --paper: #fbfaf7; --card: #ffffff; --ink: #1d1b18; --soft-ink: #5d5850; --rule: #e4e0d8; --mat: #f1eee8;
      --accent: #a8430f; --accent-soft: #d9a184; --bad: #a3142b; --bad-soft: #fbeaec; --focus: #1a5fb4; }
    @media (prefers-color-scheme: dark) { :root {
      --paper: #161412; --card: #1f1c19; --ink: #f0ece5; --soft-ink: #ada598; --rule: #38332d; --mat: #2a2622;
      --accent: #f0925a; --accent-soft: #8c5535; --bad: #ff8f9c; --bad-soft: #3a1d22; --focus: #8ab8f5; } }
    * { box-sizing: border-box; }
    html { font: 100%/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
      background: var(--paper); color: var(--ink); font-variant-numeric: tabular-nums;
      -webkit-text-size-adjust: 100%; scroll-padding-top: 4rem; }
    body { margin: 0; }
    header, main, footer, nav ul { max-width: 84rem; margin: 0 auto; padding: 0 clamp(1.1rem, 4vw, 3.5rem); }
    header { padding-top: clamp(2rem, 6vw, 5rem); padding-bottom: 2rem; }
    .eyebrow { margin: 0 0 .6rem; color: var(--accent); font-weight: 600; overflow-wrap: anywhere; }
    .job { color: var(--soft-ink); font-weight: 400; }
    h1 { margin: 0 0 2rem; font-size: clamp(1.6rem, 4vw, 2.7rem); line-height: 1.18; letter-spacing: -.02em;
      font-weight: 650; max-width: 28ch; text-wrap: balance; overflow-wrap: anywhere; }
    h2 { margin: 0 0 .4rem; font-size: 1.45rem; line-height: 1.25; letter-spacing: -.01em; font-weight: 650; }
    h3 { margin: 0 0 .4rem; font-size: 1rem; line-height: 1.4; font-weight: 600; overflow-wrap: anywhere; }
    p { margin: 0 0 .6rem; max-width: 72ch; overflow-wrap: anywhere; }
    section { padding: 2.6rem 0; border-top: 1px solid var(--rule); }
    .lead, .note, footer { color: var(--soft-ink); }
    .lead { margin-bottom: 1.6rem; }
    .note { font-size: .875rem; }
    .notice { padding: .8rem 1rem; background: var(--bad-soft); color: var(--bad); border-radius: .5rem; }
    footer { padding-top: 1rem; padding-bottom: 4rem; font-size: .875rem; border-top: 1px solid var(--rule); }
    a { color: var(--accent); }
    :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: .2rem; }
    .skip { position: absolute; left: -100vw; top: 0; padding: .6rem 1rem; background: var(--card); z-index: 2; }
    .skip:focus { left: 0; }
    nav { position: sticky; top: 0; z-index: 1; background: var(--paper); border-top: 1px solid var(--rule); }
    nav ul { display: flex; gap: 1.6rem; list-style: none; overflow-x: auto; }
    nav a { display: block; padding: .8rem 0; white-space: nowrap; color: var(--ink); text-decoration: none; }
    nav a:hover { color: var(--accent); text-decoration: underline; text-underline-offset: .3em; }
    .facts { display: flex; flex-wrap: wrap; gap: 1.2rem 2.6rem; margin: 0; }
    .facts div { display: flex; flex-direction: column-reverse; }
    .facts dt { color: var(--soft-ink); font-size: .875rem; }
    .facts dd { margin: 0; font-size: 1.5rem; line-height: 1.2; font-weight: 600; }
    .bad dd, strong.bad { color: var(--bad); }
    strong { font-size: 1.5rem; font-weight: 600; }
    .chip { display: inline-block; padding: .05rem .55rem; border: 1px solid var(--rule); border-radius: 1rem;
      font-size: .8125rem; color: var(--soft-ink); overflow-wrap: anywhere; }
    .chip.bad { color: var(--bad); border-color: currentcolor; }
    .advice { padding-left: .9rem; border-left: 3px solid var(--accent); }
    .failure, .cache { margin: 1.4rem 0 0; padding: 1.2rem 1.4rem; background: var(--card);
      border: 1px solid var(--rule); border-radius: .8rem; content-visibility: auto;
      contain-intrinsic-size: auto 12rem; }
    .failure > .scroll { margin-top: .8rem; }
    .scroll { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; font-size: .875rem; }
    th, td { padding: .4rem 1.1rem .4rem 0; text-align: left; vertical-align: middle; border-top: 1px solid var(--rule); }
    thead th { border-top: 0; color: var(--soft-ink); font-weight: 400; vertical-align: bottom; white-space: nowrap; }
    tbody th { font-weight: 500; min-width: 9rem; max-width: 16rem; overflow-wrap: break-word; }
    tr > :last-child { padding-right: 0; }
    .number { text-align: right; white-space: nowrap; }
    thead th:nth-child(n+3) { text-align: right; }
    .failure thead th, .plain thead th { text-align: left; } .failure td { vertical-align: top; } .failure td:last-child { min-width: 12rem; }
    .url { overflow-wrap: anywhere; min-width: 16rem; }
    .place { white-space: nowrap; color: var(--soft-ink); font-size: .875rem; }
    .lane { width: 70%; min-width: 14rem; } .plot { width: 38%; min-width: 12rem; }
    .axis { display: flex; justify-content: space-between; }
    svg { display: block; width: 100%; height: 1.6rem; }
    .plot svg { height: 1.9rem; }
    .bar { height: .8rem; margin: .6rem 0; border-radius: .4rem; }
    svg .fill { fill: var(--accent); } svg .soft { fill: var(--accent-soft); } svg .bad { fill: var(--bad); }
    svg .track { fill: var(--mat); } .plot .track { fill: var(--rule); } svg .mark { fill: var(--ink); }
    .filter { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 10rem), 1fr));
      align-items: end; gap: .7rem 1rem; margin: 0 0 1.6rem; }
    .filter[hidden], .pager[hidden], .note[hidden] { display: none; }
    .filter p { display: flex; flex-direction: column; gap: .2rem; margin: 0; min-width: 0; max-width: 100%; }
    .filter p:first-child { grid-column: span 2; }
    .filter input, .filter select, button { min-width: 0; max-width: 100%; min-height: 2.6rem; padding: .4rem .8rem;
      font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft-ink);
      border-radius: .5rem; }
    .filter select { width: 100%; text-overflow: ellipsis; }
    button { cursor: pointer; } button:disabled { color: var(--soft-ink); border-color: var(--rule); cursor: default; }
    .filter label, .filter output { color: var(--soft-ink); font-size: .875rem; }
    .filter output { grid-column: 1 / -1; }
    .pager { position: static; margin-top: 2rem; border-top: 0; }
    .pager ul { justify-content: center; align-items: center; padding: 0; margin: 0; flex-wrap: wrap; }
    .sheet { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 11.5rem), 1fr)); gap: 1.8rem 1.4rem;
      align-items: start; margin: 0; padding: 0; list-style: none; }
    @media (max-width: 30rem) { .sheet { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.4rem 1rem; } }
    .card { min-width: 0; content-visibility: auto; contain-intrinsic-size: auto 19rem; }
    .mat { position: relative; display: grid; place-items: center; aspect-ratio: 1; margin-bottom: .7rem;
      background: var(--mat); border-radius: .6rem; overflow: hidden; }
    .mat img { position: absolute; inset: .6rem; margin: auto; width: auto; height: auto;
      max-width: calc(100% - 1.2rem); max-height: calc(100% - 1.2rem); }
    .none { color: var(--soft-ink); font-size: .875rem; }
    .card h3, .card p { margin-bottom: 0; font-size: .875rem; }
    .card h3 a { color: inherit; text-decoration: none; } .card h3 a:hover { text-decoration: underline; }
    .card:target .mat, .card.here .mat { outline: 3px solid var(--focus); outline-offset: 2px; }
    .card:target, .card.here, .card:focus-within { content-visibility: visible; }
    tr:target > * { background: var(--mat); }
    .pairs { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); gap: 1.4rem;
      margin: 0 0 1.6rem; padding: 0; list-style: none; }
    .pairs li { min-width: 0; content-visibility: auto; contain-intrinsic-size: auto 16rem; }
    .pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; }
    h4 { margin: 0 0 .4rem; font-size: .875rem; font-weight: 600; overflow-wrap: anywhere; }
    h4 .chain { font-weight: 400; }
    figure { margin: 0; } figcaption { color: var(--soft-ink); font-size: .8125rem; }
    .again, .build { margin: 1.2rem 0 0; color: var(--soft-ink); font-size: .875rem; } .again + .build { margin-top: .3rem; }
    section > h3:not(:first-of-type) { margin-top: 1.6rem; }
    .plain td { vertical-align: top; }
    .chain, .size { color: var(--soft-ink); }
    .less { color: var(--accent); font-weight: 600; } .more { color: var(--bad); font-weight: 600; }
    .size span { white-space: nowrap; }
    details { font-size: .8125rem; }
    summary { padding: .2rem 0; color: var(--soft-ink); cursor: pointer; }
    details dl { margin: .3rem 0 0; } details dt { color: var(--soft-ink); }
    details dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
    .findings { margin: 0; padding: 0; list-style: none; }
    .finding { padding: .9rem 0; border-top: 1px solid var(--rule); } .finding:first-child { border-top: 0; }
    .finding p { margin: .3rem 0 0; }
    .bar.tall { height: 6rem; border-radius: .2rem; }
    .wide tbody th { max-width: none; overflow-wrap: anywhere; } .wide td { white-space: nowrap; }
    .wide thead th { text-align: left; }
    code { font: .9em ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
    @media print { nav, .filter, .skip { display: none; } .card, .pairs li, .failure, .cache { content-visibility: visible;
      break-inside: avoid; } }
    """
}
