/** The look of a report, light or dark as the reader's system is; colours that colour-blind readers can tell apart. */
export const reportStyle = `
:root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--ink:#1c2330;--quiet:#667085;--rule:#e3e7ee;
--blue:#0b6bcb;--orange:#d9650b;--green:#138a5e;--violet:#7c4dcc;--red:#c62f3b;--shade:#0000000d}
@media(prefers-color-scheme:dark){:root{--page:#10141b;--card:#181e28;--ink:#e6eaf1;--quiet:#93a0b4;--rule:#2a3342;
--blue:#59a8ff;--orange:#ff9a4d;--green:#4cc99a;--violet:#b196f5;--red:#ff7a85;--shade:#ffffff0f}}
*{box-sizing:border-box}
body{font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;margin:0;background:var(--page);color:var(--ink)}
main{max-width:1080px;margin:0 auto;padding:32px 20px 64px}
h1{font-size:26px;margin:0 0 4px;letter-spacing:-.01em}h2{font-size:18px;margin:36px 0 12px}
p{margin:4px 0 12px}.quiet{color:var(--quiet)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin:20px 0}
.tile{background:var(--card);border:1px solid var(--rule);border-radius:12px;padding:12px 16px}
.tile b{display:block;font-size:24px;font-weight:650;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.tile span{color:var(--quiet);font-size:13px}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--rule);border-radius:12px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:13.5px}
th{font-weight:600;color:var(--quiet);font-size:12.5px}td,th{padding:7px 10px;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}
tr:last-child td{border-bottom:0}td:first-child,th:first-child,td.text,th.text{text-align:left}td.text{white-space:normal;color:var(--quiet);min-width:15em}
.pill{display:inline-block;border-radius:999px;padding:1px 10px;font-size:12.5px;font-weight:600;border:1px solid currentColor}
.caught,.better{color:var(--green)}.missed,.worse{color:var(--red)}.unreachable{color:var(--orange)}.unseen,.equal{color:var(--quiet)}
details{background:var(--card);border:1px solid var(--rule);border-radius:12px;margin:12px 0;overflow:hidden}
summary{cursor:pointer;padding:12px 16px;font-weight:600;display:flex;gap:12px;align-items:center;flex-wrap:wrap}
summary:hover{background:var(--shade)}summary span.quiet{font-weight:400}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(400px,1fr));gap:4px 16px;padding:4px 16px 16px}
figure{margin:0}svg{width:100%;height:auto;display:block;font-size:11px;font-family:inherit}
svg text{fill:var(--ink)}svg text.title{font-size:13px;font-weight:600}svg text.tick,svg text.quiet,svg text.key{fill:var(--quiet)}
.grid{stroke:var(--rule);fill:none;stroke-width:1}.axis{stroke:var(--quiet);fill:none;stroke-width:1;opacity:.5}
.mark{stroke:var(--quiet);stroke-dasharray:3 3;fill:none;stroke-width:1}
.line{fill:none;stroke-width:1.9;stroke-linejoin:round;stroke-linecap:round}.band{stroke:none;opacity:.16}
.line.a,.line.smoothed{stroke:var(--blue)}.line.b,.line.truth{stroke:var(--orange)}.line.c{stroke:var(--green)}.line.d{stroke:var(--violet)}
.line.truth{stroke-dasharray:5 4}.band.a{fill:var(--blue)}.dot.a{fill:var(--blue)}.dot.b{fill:var(--orange)}.dot.c{fill:var(--green)}
.dot.taken{fill:var(--violet)}.dot.idle{fill:var(--quiet);opacity:.5}.shadow{stroke:var(--ink);opacity:.18;fill:none;stroke-width:2}
.robot{stroke:var(--quiet);stroke-width:4;stroke-linecap:round;fill:none;opacity:.7}path.hand{stroke:var(--green);stroke-width:3;fill:none}
circle.hand{fill:none;stroke:var(--green);stroke-width:2.5}
.warning{border-left:3px solid var(--orange);padding:6px 12px;background:var(--shade);border-radius:6px;margin:8px 0}
@media print{details{break-inside:avoid}body{background:#fff}}
`;
