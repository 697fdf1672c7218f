import fc from 'fast-check'

/** Every attack tries to call this function. */
const CODE = 'pwned(1)'

const scheme = fc.constantFrom(
  ...['javascript:', 'JaVaScRiPt:', ' javascript:', '\u0001javascript:', 'java\tscript:', 'java\nscript:'],
  ...['javascript&colon;', '&#106;avascript:', '&#x6A&#x61vascript:', 'java&Tab;script:', 'java%0ascript:'],
  ...['\u00a0javascript:', '\u2028javascript:', '\\javascript:', 'x:javascript:', 'view-source:javascript:'],
  ...['vbscript:', 'data:text/html,<script>', 'data:image/svg+xml,<svg onload=', 'blob:', 'ｊavascript:'],
)
const url = fc
  .tuple(scheme, fc.constantFrom('', '//', '/*', '%0a'))
  .map(([start, rest]) => start + rest + CODE)

const handler = fc.constantFrom(
  ...['onerror', 'onload', 'ONCLICK', 'onfocus autofocus tabindex=0 x', 'onmouseover', 'ontoggle', 'onbegin'],
  ...['onanimationstart', 'on\u0000error', 'onpointerrawupdate', 'oncontentvisibilityautostatechange'],
)
const quote = fc.constantFrom('"', "'", '', '`', '&quot;', '&#34;')
const gap = fc.constantFrom(' ', '/', '\t', '\n', '\f', ' / ', '"', "'")
const attribute = fc.oneof(
  fc.tuple(handler, quote).map(([name, mark]) => `${name}=${mark}${CODE}${mark}`),
  fc
    .tuple(
      fc.constantFrom(
        ...['href', 'src', 'srcset', 'xlink:href', 'action', 'formaction', 'data', 'poster', 'background'],
        ...['ping', 'content', 'code', 'from', 'to', 'values'],
      ),
      quote,
      url,
    )
    .map(([name, mark, target]) => `${name}=${mark}${target}${mark}`),
  fc.constantFrom(
    `srcdoc="<script>${CODE}</script>"`,
    `style="background:url(javascript:${CODE});behavior:url(#x);animation:x"`,
    'http-equiv=refresh content="0;url=https://evil.test/"',
    'class="anchor sr-only" id="content" name="location" is="x-y" slot=x',
    'target=_top rel=opener attributeName=href',
  ),
)
const tag = fc.constantFrom(
  ...['script', 'img', 'svg', 'iframe', 'form', 'object', 'embed', 'base', 'meta', 'link', 'math', 'style'],
  ...['details open', 'video', 'audio', 'a', 'input', 'button', 'textarea', 'template', 'noscript', 'xmp'],
  ...['title', 'plaintext', 'select', 'svg><script', 'svg><animate', 'svg><foreignObject><img', 'body'],
  ...['math><mtext><img', 'table><caption><img', 'SCRIPT', 'ſcript', 'scr\u0000ipt', 'image', 'isindex'],
  ...['frameset', 'frame', 'marquee', 'keygen', 'dialog open', 'p', 'x-y', '/p', '!--', '?xml', '![CDATA['],
)
const element = fc
  .tuple(
    tag,
    gap,
    fc.array(attribute, { minLength: 1, maxLength: 3 }),
    gap,
    fc.constantFrom('>', '/>', '', '>x'),
  )
  .map(([name, before, attributes, between, end]) => `<${name}${before}${attributes.join(between)}${end}`)

const breakout = fc.constantFrom(
  ...[
    '',
    '">',
    "'>",
    '-->',
    ']]>',
    '</title>',
    '</style>',
    '</script>',
    '</textarea>',
    '</template>',
    '</svg>',
  ],
  ...[
    '<!-->',
    '<!--->',
    '<![CDATA[',
    '<noscript><p title="</noscript>',
    '<svg><style>',
    '<math><mi><mglyph>',
  ],
  ...[
    '<form><math><mtext></form><form><mglyph><style></math>',
    '<table><svg><desc>',
    '\u0000',
    '&lt;',
    '\\"',
  ],
  ...[
    '" ',
    "' ",
    '%> ',
    '<%~ it.x %>',
    '${',
    '{{',
    '\u2028',
    '\r\n\r\n',
    '`',
    ';}',
    '}</style>',
    '<a title="',
  ],
)
const markdown = fc.oneof(
  url.map((target) => `[x](${target})`),
  url.map((target) => `[x](<${target}>)`),
  url.map((target) => `![x](${target} "t")`),
  url.map((target) => `<${target}>`),
  url.map((target) => `[x]\n\n[x]: ${target} "t"`),
  element.map((html) => `[${html}](/a "${html}")`),
  element.map((html) => `# ${html}\n\n${html}`),
  element.map((html) => `\`\`\`x"${html}\n${html}\n\`\`\``),
  element.map((html) => `a[^${html.replace(/[\]\s]/g, '')}]\n\n[^${html.replace(/[\]\s]/g, '')}]: ${html}`),
  element.map((html) => `> [!NOTE]\n> ${html}`),
  element.map((html) => `| ${html} | b |\n|---|---|\n| ${html} | c |`),
  element.map((html) => `- [ ] ${html}\n  <b>${html}`),
)
/** Mutation XSS: texts that become harmful when parsed twice, or that parsers read differently. */
const mutation = fc.constantFrom(
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${CODE}&gt;">`,
  `<svg></p><style><a id="</style><img src=1 onerror=${CODE}>">`,
  `<noscript><p title="</noscript><img src=x onerror=${CODE}>">`,
  `<template><s><template><s><img src=x onerror=${CODE}>@shafigullin</s></template></s></template>`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${CODE}>`,
  `<math><annotation-xml encoding="text/html"><style><img src=x onerror=${CODE}></style></annotation-xml></math>`,
  `<svg><foreignobject><math><mi//xlink:href="data:x,<script>${CODE}</script>">`,
  `<table><td><form><table></form></td></table><a/onclick=${CODE}>x</a></table>`,
  `<select><iframe></select><img src=x: alt="if(window.x)" onerror=${CODE}>`,
  `<a href="javascript&colon;${CODE}">x</a><a href="jav\u0000ascript:${CODE}">y</a>`,
  `<xmp><p title="</xmp><svg/onload=${CODE}>">`,
  `<title><a title="</title><svg/onload=${CODE}>">`,
  `<iframe><p title="</iframe><svg/onload=${CODE}>">`,
  `<![CDATA[ ]]><svg onload=${CODE}>`,
  `<?xml-stylesheet href="javascript:${CODE}"?><img src=x onerror=${CODE}>`,
  `<!--[if IE]><script>${CODE}</script><![endif]--><!--><svg onload=${CODE}>-->`,
  `<details ontoggle=${CODE} open><summary>x</summary></details>`,
  `<input autofocus onfocus=${CODE}><video><source onerror=${CODE}></video>`,
  `<a href=x style="animation:x" onanimationend=${CODE}>x</a>`,
  `<b id="__proto__"><b id="constructor" name="cookie">x</b>`,
)
/** Encodings that become harmful when decoded more than once. */
const encoding = fc.constantFrom<(text: string) => string>(
  ...[(text: string) => text, (text: string) => text, (text: string) => text],
  (text) => text.replace(/[<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`),
  (text) => text.replace(/</g, '&lt;').replace(/>/g, '&gt;'),
  (text) => text.replace(/</g, '&amp;lt;'),
  (text) => text.replace(/[<>]/g, encodeURIComponent),
  (text) => text.replace(/</g, '\\u003c'),
  (text) => text.replace(/</g, '\\<'),
  (text) => text.replace(/</g, '\uff1c').replace(/>/g, '\uff1e'),
  (text) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  (text) => text.replace(/<(\w)/g, '<\u0000$1'),
  (text) => text.replace(/ /g, '\n'),
)
export const attackText = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(breakout, element).map(([out, html]) => out + html) },
  { weight: 2, arbitrary: fc.tuple(breakout, markdown).map(([out, text]) => out + text) },
  { weight: 1, arbitrary: url },
  { weight: 1, arbitrary: fc.tuple(breakout, mutation).map(([out, html]) => out + html) },
  { weight: 1, arbitrary: fc.tuple(encoding, element).map(([encode, html]) => encode(html)) },
)
