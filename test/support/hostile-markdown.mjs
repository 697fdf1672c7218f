// Markdown that is expensive to parse or to render, for tests and measurements.

/** Each function returns a text of about this many bytes. */
const KINDS = {
  'nested lists': (bytes) => deepening('- a\n', '  ', bytes),
  'lists in one line': (bytes) => '- '.repeat(bytes / 2),
  'numbers in one line': (bytes) => '1. '.repeat(bytes / 3),
  'nested quotations': (bytes) => `${'>'.repeat(bytes)} a`,
  'quotations and lists': (bytes) => '> - '.repeat(bytes / 4),
  'quotations that go on': (bytes) => `${'> '.repeat(500)}a\n`.repeat(bytes / 1002),
  stars: (bytes) => '*a **b '.repeat(bytes / 7),
  'stars and closers': (bytes) => '*a **a '.repeat(bytes / 14) + ' a** a*'.repeat(bytes / 14),
  underscores: (bytes) => 'a_b__c_'.repeat(bytes / 7),
  tildes: (bytes) => '~~a ~b '.repeat(bytes / 7),
  'open brackets': (bytes) => '['.repeat(bytes),
  'open pictures': (bytes) => '![['.repeat(bytes / 3),
  'brackets around links': (bytes) => `${'['.repeat(bytes / 6)}a${'](/a)'.repeat(bytes / 6)}`,
  'links without an end': (bytes) => '[a](<b'.repeat(bytes / 6),
  'link titles without an end': (bytes) => '[a](b "c'.repeat(bytes / 8),
  backticks: (bytes) => series((i) => `${'`'.repeat(i % 200)}a`, bytes),
  'angle brackets': (bytes) => '<a href="'.repeat(bytes / 9),
  'comments without an end': (bytes) => '<!-- '.repeat(bytes / 5),
  'declarations without an end': (bytes) => '<![CDATA['.repeat(bytes / 9),
  'open HTML': (bytes) => '<b><i><div>'.repeat(bytes / 11),
  'HTML that is moved': (bytes) => '<table><tr><td><table>a'.repeat(bytes / 23),
  'HTML that is adopted': (bytes) => '<a><b><p></a></b>'.repeat(bytes / 17),
  attributes: (bytes) => `<a ${series((i) => `b${i}="c" `, bytes)}>d</a>`,
  entities: (bytes) => '&amp;&nosuch;&#x110000;'.repeat(bytes / 23),
  ampersands: (bytes) => '&'.repeat(bytes),
  'wide tables': (bytes) =>
    `|${'a|'.repeat(bytes / 6)}\n|${'-|'.repeat(bytes / 6)}\n|${'b|'.repeat(bytes / 6)}\n`,
  'tables of empty cells': (bytes) =>
    `|${'a|'.repeat(bytes / 8)}\n|${'-|'.repeat(bytes / 8)}\n${'|\n'.repeat(bytes / 4)}`,
  definitions: (bytes) => series((i) => `[a${i}]: /b "c"\n`, bytes),
  references: (bytes) => `[a]: /${'b'.repeat(bytes / 2)}\n\n${'[a] '.repeat(bytes / 8)}`,
  'references to nothing': (bytes) => series((i) => `[a${i}][b${i}] `, bytes),
  footnotes: (bytes) => `[^a]: a\n\n${'[^a] '.repeat(bytes / 5)}`,
  'footnotes of the same name': (bytes) => '[^a]: b\n'.repeat(bytes / 8),
  'footnotes in footnotes': (bytes) => series((i) => `[^${i}]: [^${i + 1}]\n\n`, bytes),
  'headings of the same name': (bytes) => '# a\n\n'.repeat(bytes / 5),
  addresses: (bytes) => 'www.a.b/'.repeat(bytes / 8),
  'addresses with brackets': (bytes) => `https://a.b/${'('.repeat(bytes)}`,
  mail: (bytes) => `${'a.'.repeat(bytes / 2)}@`,
  escapes: (bytes) => '\\'.repeat(bytes),
  'white space': (bytes) => `a${' '.repeat(bytes)}\n${'\t'.repeat(100)}b`,
  'tabs in lists': (bytes) => '-\t'.repeat(bytes / 2),
  'empty lines in lists': (bytes) => `- a\n${'\n'.repeat(bytes)}`,
  containers: (bytes) => ':::note\n'.repeat(bytes / 8),
  formulas: (bytes) => '$a^{b_{c}}$ '.repeat(bytes / 12),
  'a deep formula': (bytes) => `$$\n${'{'.repeat(bytes / 2)}a${'}'.repeat(bytes / 2)}\n$$`,
  code: (bytes) => `\`\`\`js\n${'/*"'.repeat(bytes / 3)}\n\`\`\``,
  'code in many languages': (bytes) => '```js\na\n```\n\n```ts\nb\n```\n\n'.repeat(bytes / 30),
  'front matter': (bytes) => `---\n${'a: ['.repeat(bytes / 4)}\n---\nb`,
  'one long line': (bytes) => 'word '.repeat(bytes / 5),
  NULs: (bytes) => '\0'.repeat(bytes),
}

export const HOSTILE_KINDS = Object.keys(KINDS)

export function hostileMarkdown(kind, bytes) {
  return KINDS[kind](bytes)
}

/** Indents each line further than the previous one, up to this many bytes. */
function deepening(line, indent, bytes) {
  let text = ''
  for (let depth = 0; text.length < bytes; depth++) text += indent.repeat(depth) + line
  return text
}

function series(piece, bytes) {
  const pieces = []
  let length = 0
  for (let i = 0; length < bytes; i++) {
    pieces.push(piece(i))
    length += pieces.at(-1).length
  }
  return pieces.join('')
}
