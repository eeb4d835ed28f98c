import { createHash } from "node:crypto";

/**
 * The style of the public pages, with the colours and sizes of the application (web/src/theme). Colours of texts have a
 * contrast of at least 4.5 to 1 in both schemes.
 */
const COLOURS = `
--body:light-dark(#fbfaf7,#161b19);--surface:light-dark(#fff,#1d2321);--sunken:light-dark(#f4f2ec,#121614);
--text:light-dark(#1d2320,#e4e9e6);--dim:light-dark(#58605c,#a5b0aa);--link:light-dark(#1d6653,#8fcbb4);--line:light-dark(#e4e0d6,#2d3532);
--line-strong:light-dark(#8b867b,#6d7872);--fill:light-dark(#1d6653,#247059);--on-fill:#fff;
--good-text:light-dark(#17573f,#9bd8bd);--good:light-dark(#e3f1ea,#1c342b);--warn-text:light-dark(#774700,#f0c878);--warn:light-dark(#fbefd6,#382c14);
--bad-text:light-dark(#9b1c15,#ffb4ab);--bad:light-dark(#fbe9e7,#40201d);--calm-text:light-dark(#4d544f,#b4beb8);--calm:light-dark(#efede7,#272e2b)
`;

const RULES = `
*{box-sizing:border-box}[hidden]{display:none!important}
body{margin:0;background:var(--body);color:var(--text);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",sans-serif;overflow-wrap:break-word;-webkit-font-smoothing:antialiased}
a{color:var(--link)}a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
h1,h2,h3{letter-spacing:-.01em;line-height:1.25;text-wrap:balance;margin:0}
h1{font-size:1.75rem;font-weight:650}h2{font-size:1.2rem;font-weight:650;margin-bottom:.75rem}h3{font-size:1rem}#description~h3{margin:1rem 0 .25rem}
p{margin:0 0 .75rem;text-wrap:pretty}ul,ol{margin:0 0 .75rem;padding-left:1.25rem}li{margin:.2rem 0}
code,.mono{font-family:ui-monospace,"SF Mono","Cascadia Mono","Noto Sans Mono","DejaVu Sans Mono",monospace;font-size:.875em}
.skip{position:absolute;left:-999px}section>.skip:focus{position:static}.skip:focus{left:1rem;top:.5rem;z-index:1;background:var(--surface);padding:.5rem 1rem}
.wrap{max-width:72rem;margin:0 auto;padding:0 1.25rem}
.top{background:var(--surface);border-bottom:1px solid var(--line)}
.top .wrap{display:flex;gap:.75rem 1.5rem;align-items:center;flex-wrap:wrap;padding-top:.75rem;padding-bottom:.75rem}
.brand{font-weight:650;font-size:1.1rem;color:var(--text);text-decoration:none;display:flex;gap:.6rem;align-items:center}.brand img{height:2rem;width:auto;display:block}
.top form{flex:1 1 16rem;display:flex;gap:.5rem}
.top nav{display:flex;gap:1rem;margin-left:auto}
input[type=search]{flex:1;min-width:0;font:inherit;padding:.5rem .75rem;border:1px solid var(--line-strong);border-radius:.5rem;background:var(--surface);color:inherit}
button,.button{font:inherit;font-weight:600;padding:.5rem 1rem;border:1px solid var(--fill);border-radius:.5rem;background:var(--fill);color:var(--on-fill);cursor:pointer;text-decoration:none;display:inline-block}
.button.quiet,button.quiet{background:transparent;color:var(--link);border-color:var(--line-strong)}
select{font:inherit;padding:.4rem .5rem;border:1px solid var(--line-strong);border-radius:.5rem;background:var(--surface);color:inherit;max-width:100%}
main{padding:2rem 0 3rem}
footer{border-top:1px solid var(--line);color:var(--dim);font-size:.9rem}footer .wrap{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;padding-top:1rem;padding-bottom:1.5rem}
footer .language{margin-left:auto}
.dim{color:var(--dim)}.small{font-size:.9rem}.lines{white-space:pre-line}
.two{display:grid;grid-template-columns:minmax(0,1fr) 18rem;gap:2rem;margin-top:1.5rem}
.two.left{grid-template-columns:16rem minmax(0,1fr)}
section{margin-bottom:2rem}
.box{background:var(--surface);border:1px solid var(--line);border-radius:.75rem;padding:1rem 1.25rem;margin-bottom:1.25rem}.box>:last-child,section>:last-child{margin-bottom:0}
.notice{padding:.75rem 1rem;border-radius:.5rem;background:var(--warn);color:var(--warn-text);margin:1rem 0}.notice a{color:inherit}.notice>:last-child{margin:0}.notice.bad{background:var(--bad);color:var(--bad-text)}
.badge{display:inline-block;padding:.1rem .6rem;border-radius:1rem;font-size:.85rem;font-weight:600;background:var(--calm);color:var(--calm-text)}
.badge.open{background:var(--good);color:var(--good-text)}.badge.embargoed,.badge.restricted{background:var(--warn);color:var(--warn-text)}
.badges{display:flex;gap:.5rem;flex-wrap:wrap;margin:.75rem 0 0;align-items:center}
.people{list-style:none;padding:0;margin:.75rem 0 0}dd>.people{margin:0}dd>.people+p{margin:.25rem 0 0}.people li{display:inline}.people li:not(:last-child)::after{content:"; "}
.people sup{white-space:nowrap}.people sup::before{content:"\\2060"}
.more{margin:.25rem 0 .75rem}.more>summary{cursor:pointer;color:var(--link);width:fit-content}
.actions{list-style:none;padding:0;display:grid;gap:.5rem}.actions li{margin:0}.actions .button{display:block;text-align:center}
.id{font-size:.85em}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.925rem}th,td{text-align:left;padding:.45rem .75rem .45rem 0;border-bottom:1px solid var(--line);vertical-align:top}th{font-weight:600;color:var(--dim)}
td.number,th.number{text-align:right;white-space:nowrap}
th.center,td.center{text-align:center}th.right,td.right{text-align:right}
td.name{min-width:12rem;overflow-wrap:anywhere}
details>pre{white-space:pre-wrap;overflow-wrap:anywhere}
pre.text{white-space:pre-wrap;overflow-wrap:anywhere;margin:0}pre.text.box{margin:0 0 1.25rem}pre.scroll{margin:0 0 .75rem}
.readme img,img.preview{max-width:100%;height:auto}.readme{overflow-wrap:anywhere}.readme table{width:auto}.cells td,.cells th{max-width:24rem;overflow-wrap:break-word;white-space:pre-line}.scroll+.digest{margin-top:1rem}.readme .box :is(h3,h4,h5,h6),.readme.box :is(h2,h3,h4,h5,h6){margin:1.25rem 0 .4rem}.readme .box>:first-child,.readme.box>:first-child{margin-top:0}h1.name{overflow-wrap:anywhere}
.path{list-style:none;padding:0;margin:0 0 .5rem;display:flex;flex-wrap:wrap;gap:0 .4rem}.path li{margin:0;overflow-wrap:anywhere}.path li:not(:last-child)::after{content:" /";color:var(--dim)}
.files td.name>a,.path li{unicode-bidi:plaintext}.find{display:flex;gap:.5rem;max-width:28rem;margin:0 0 .75rem}
.digest{min-width:12rem;max-width:20rem;overflow-wrap:anywhere}.digest>summary{cursor:pointer}
dl{margin:0;display:grid;gap:.15rem;overflow-wrap:anywhere}dt{font-weight:600;font-size:.9rem;color:var(--dim)}dd{margin:0 0 .6rem}
dl.facts{gap:0 1.5rem;grid-template-columns:repeat(auto-fill,minmax(min(14rem,100%),1fr))}dl+section{margin-top:1.5rem}.box>p:has(+[hidden]:last-child){margin-bottom:0}
dd>dl,.entries dl{padding-left:.75rem;border-left:2px solid var(--line)}.entries{list-style:none;padding:0}
.tags{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.4rem}.tags a,.tags span{display:inline-block;padding:.15rem .6rem;border-radius:1rem;background:var(--calm);color:var(--calm-text);text-decoration:none;font-size:.9rem}.tags a:hover{text-decoration:underline}.tags .id{padding:0 .2rem;background:none;color:var(--dim);font-size:.85em}.tags a.id{color:var(--link);text-decoration:underline}
.map{width:100%;height:auto;border-radius:.5rem;background:var(--sunken);display:block}.map .place{fill:var(--bad-text);fill-opacity:.35;stroke:var(--bad-text);stroke-width:1.5;vector-effect:non-scaling-stroke}.map .land{fill:var(--line-strong);fill-opacity:.45}
.results{list-style:none;padding:0}.results>li{padding:1.1rem 0;border-bottom:1px solid var(--line);margin:0}.results h3{font-size:1.1rem;font-weight:600}.results p{margin:.3rem 0 0}
mark{background:light-dark(#fbe7a8,#5a4a12);color:light-dark(#1d2320,#e4e9e6);border-radius:.2rem}
.facet{margin-bottom:1.25rem}.facet h3{margin-bottom:.3rem}.facet ul{list-style:none;padding:0;margin:0}.facet li{display:flex;justify-content:space-between;gap:.75rem;margin:.15rem 0}.facet li>span{color:var(--dim);font-size:.9rem}
.facet a[aria-current]{font-weight:650}
.facets>summary{display:none}
.bar{display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;align-items:center;justify-content:space-between;margin-bottom:.5rem}
.pages{display:flex;gap:.75rem;flex-wrap:wrap;margin-top:1.25rem;align-items:center}
.big h1+div,.big h1+p{margin-top:.5rem}.big form{display:flex;gap:.5rem;max-width:44rem;margin:1rem 0}
@media(max-width:52rem){.two,.two.left{grid-template-columns:minmax(0,1fr);gap:1rem}.facets>summary{display:list-item;font-weight:600;padding:.5rem 0;cursor:pointer}.top form{order:3;flex-basis:100%}}
@media(max-width:40rem){.versions tr{display:grid;grid-template-columns:4fr 6fr 4fr;border-bottom:1px solid var(--line)}.versions th,.versions td{border:0;padding-bottom:.2rem}.versions :is(th,td):last-child{grid-column:1/-1;min-width:0;padding:0 0 .45rem}}
@media(max-width:40rem){.files tr{display:grid;grid-template-columns:6rem minmax(0,1fr);border-bottom:1px solid var(--line)}.files :is(th,td){border:0;padding:0 0 .45rem}.files :is(th,td):first-child{grid-column:1/-1;min-width:0;padding:.45rem 0 .1rem}.files .number{text-align:left}.digest{min-width:0;max-width:none}}
@media(min-width:52.01rem){.facets::details-content{content-visibility:visible;block-size:auto}.facets>summary~*{display:block}}
@media(prefers-reduced-motion:reduce){*{transition:none!important;animation:none!important}}
@media print{:root{color-scheme:light}.top form,.top nav,footer .language,.no-print{display:none!important}.two{display:block}.box{break-inside:avoid}a{color:inherit}main a[href^="http"]::after{content:" <" attr(href) ">";font-size:.8em;overflow-wrap:anywhere}.people a::after,.tags a::after,.files a::after,#citation a::after{content:none!important}.more>summary{display:none}.more::details-content{content-visibility:visible;block-size:auto}.digest{max-width:none}.digest>summary{display:none}.digest::details-content{content-visibility:visible;block-size:auto}.digest>code{display:block}@page{margin:18mm}}
`;

const TEXT = `:root{color-scheme:light dark;${COLOURS}}${RULES}`.replaceAll("\n", "");

/** The style, and its name, which changes with it, so that browsers keep it for as long as they like. */
export const STYLE = {
  text: TEXT,
  name: `site-${createHash("sha256").update(TEXT).digest("base64url").slice(0, 12)}.css`,
};

/**
 * The same rules for the parts of the page of a dataset in the application (`PageParts`), whose build includes them. They apply
 * neither to other content of the application nor to what it inserts into the parts. The colour scheme is that of the application.
 */
export const PARTS_STYLE =
  `@scope (.site-parts) to ([data-member],[data-folder],[data-count]){:scope{${COLOURS}}${RULES}}`.replaceAll("\n", "");
