import type { Nodes } from 'mdast'
import type { MarkdownDiagnostic } from './markdown-diagnostic.ts'

/*
 * Syntax of other tools that Quoin does not know. It is shown as text, or its tags are removed, so that authors who
 * move a site would find it only by reading every page.
 */

interface ForeignSyntax {
  /** Name with its article. Each kind is reported once per page. */
  readonly kind: string
  /** Strings in small letters. Each match begins with or contains one; most sources have none. */
  readonly signs: readonly string[]
  /** Takes time in proportion to the text. Its first match is reported. */
  readonly pattern: RegExp
  /** Its effect in Quoin, and the replacement to write. */
  readonly advice: string
  /** Only at the beginning of a quotation. */
  readonly inQuote?: true
}

const ATTRIBUTE =
  '(?:[.#][\\w:-]+|(?:class|id|target|rel|width|height|style|align|loading|title)=(?:"[^"{}\\n]*"|[^\\s"{}]+))'

const DIRECTIVE = 'a directive'

const KINDS: readonly ForeignSyntax[] = [
  {
    kind: 'a template tag',
    signs: ['{%', '{{'],
    pattern: /\{%[-+]?[ \t]*[a-z/][^%{}\n]{0,200}%\}|\{\{[^{}\n]{1,200}\}\}/i,
    advice: 'no template language runs in pages. Write its result.',
  },
  {
    kind: 'MDX',
    signs: ['<', 'import', 'export', '{/*'],
    pattern:
      /<(?<![\p{L}\p{N}_]<)\/?[A-Z][a-z][\w.]*(?=[\s/>])|^import[ \t]+(?:[^\n"']{1,200}[ \t]from[ \t]+)?["'][^"'\n]{1,200}["'];?$|^export[ \t]+(?:const|default|function)[ \t]|\{\/\*/mu,
    advice: 'pages contain no components and no code. `quoin convert` maps those of known generators.',
  },
  {
    kind: 'an admonition of MkDocs',
    signs: ['!!!', '???'],
    pattern: /^(?:!!!|\?\?\?\+?)[ \t]+["\w][^\n]{0,100}/m,
    advice: 'write a container, `:::note` or `:::details`.',
  },
  {
    kind: 'a tab of MkDocs',
    signs: ['==='],
    pattern: /^===[+!]?[ \t]+"[^"\n]{1,100}"/m,
    advice: 'write a `:::tabs` container.',
  },
  {
    kind: 'an alert',
    signs: ['[!'],
    pattern: /^\[!(?!(?:note|info|tip|important|warning|caution|danger)\](?![+-]))[\w-]{1,50}\][+-]?/i,
    advice: 'it is none of the five kinds, or folds. `:::details` folds.',
    inQuote: true,
  },
  {
    kind: 'a list of headings',
    signs: ['[toc]', 'toc]]', 'toc_]]', '{:'],
    pattern: /^(?:\[TOC\]|\[\[_?TOC_?\]\]|\{:[ \t]*toc\})$/im,
    advice: 'articles and docs pages have a list of their headings without it.',
  },
  {
    kind: 'a wiki link',
    signs: ['[['],
    pattern: /!?\[\[(?!\d+\]\])[^[\]\n]{1,200}\]\]/,
    advice: 'write `[text](/path)`.',
  },
  {
    kind: 'an attribute list',
    signs: ['{'],
    // Attributes of a directive belong to the directive.
    pattern: new RegExp(
      `\\{:[^{}\\n]{1,200}\\}|\\{(?<!::[\\w-]{1,50}(?:\\[[^\\]\\n]{0,100}\\])?\\{)[ \\t]*${ATTRIBUTE}(?:[ \\t]+${ATTRIBUTE})*[ \\t]*\\}`,
    ),
    advice: 'only headings take one, an id as in `{#install}`. Write HTML where a class is needed.',
  },
  {
    kind: 'a footnote',
    signs: ['[^', '^['],
    pattern: /\[\^[^\]\s[]{1,100}\](?!:)|\^\[[^[\]\n]{1,200}\]/,
    advice: 'no line `[^name]: …` on the page has its text.',
  },
  {
    kind: 'an abbreviation',
    signs: ['*['],
    pattern: /^\*\[[^\]\n]{1,100}\]:/m,
    advice: 'write `<abbr title="…">`.',
  },
  {
    kind: 'a part of another file',
    signs: ['8<', '{{#', '@include', '[!'],
    pattern:
      /^-+8<-+[ \t]*["\w][^\n]{0,100}|^\{\{#[^{}\n]{1,100}\}\}|^@include\b[^\n]{0,100}|\[!(?:INCLUDE|VIDEO|code-)/im,
    advice: 'no other file becomes part of a page. Copy its text.',
  },
  {
    kind: 'a key',
    signs: ['++'],
    pattern: /(?<![\w+])\+\+[a-z][a-z\d-]{0,30}(?:\+[a-z\d-]{1,30}){0,5}\+\+(?![\w+])/i,
    advice: 'write `<kbd>`.',
  },
  {
    kind: 'an icon of MkDocs',
    signs: [':material-', ':octicons-', ':fontawesome-', ':simple-'],
    pattern: /(?<![\w:]):(?:material|octicons|fontawesome|simple)-[a-z\d-]{1,80}:/,
    advice: 'write an emoji, or a picture.',
  },
  {
    kind: 'a comment of Obsidian',
    signs: ['%%'],
    pattern: /%%[^%\n]{1,200}%%/,
    advice: 'visitors see it. Write `<!-- … -->`.',
  },
  {
    kind: 'the address of a file with a blank in its name',
    signs: [']('],
    pattern:
      /!?\[[^[\]\n]{0,200}\]\([^\s()<>"'\n][^()<>"'\n]{0,200}[ \t][^()<>"'\n]{0,200}\.[a-z][a-z\d]{1,5}\)/i,
    advice: 'write it between angle brackets, as in `![Name](<a file.png>)`.',
  },
  {
    kind: DIRECTIVE,
    signs: ['::'],
    pattern:
      /^::(?!(?:tab|video|audio|youtube|vimeo|embed)\b)[a-z][\w-]{0,50}(?:\[[^\]\n]{0,100}\])?\{[^}\n]{0,200}\}|^::(?!(?:tab|video|audio|youtube|vimeo|embed)\b)[a-z][\w-]{0,50}\[/m,
    advice:
      'only `::video{…}`, `::audio{…}`, `::youtube[…]`, `::vimeo[…]`, `::embed{…}` and, in `:::tabs`, `::tab[…]` are known.',
  },
]

/** A formula between escaped brackets, with a command of TeX, an index, a power or an equation in it. */
const TEX =
  /\\\((?=[^\n]{0,200}?(?:\\[a-z]|[\^_=]))[^\n]{1,200}?\\\)|\\\[(?=[^\]]{0,500}?(?:\\[a-z]|[\^_=]))[^\]]{1,500}?\\\]/i

const TEX_KIND = 'a formula of LaTeX'

/**
 * Maximum number of signs that are text because of a backslash or a character reference. Each is searched in the whole
 * source.
 */
const MAX_MISSES = 50

/**
 * Finds syntax that only other tools know: the first of each kind.
 *
 * @param root the parsed text, in which code is apart.
 * @param source as the author wrote it. A backslash before a sign marks it as text.
 * @param reportsDirectives false where unknown directives are reported as components.
 */
export function foreignSyntax(
  root: Nodes,
  source: string,
  reportsDirectives = true,
): readonly MarkdownDiagnostic[] {
  const lowerCase = source.toLowerCase()
  const kinds = KINDS.filter(
    ({ kind, signs }) =>
      signs.some((sign) => lowerCase.includes(sign)) && (kind !== DIRECTIVE || reportsDirectives),
  )
  const found = new Map<string, MarkdownDiagnostic>()
  let misses = 0
  if (kinds.length > 0) visit(root, false)
  lookForTex()
  return [...found.values()]

  /** Brackets of TeX are escapes of Markdown, so the parsed text has them no more. */
  function lookForTex(): void {
    const excerpt = TEX.exec(source)?.[0].split('\n')[0]?.slice(0, 100)
    if (excerpt === undefined || isInCode(root, excerpt)) return
    const advice = 'write `$…$`, or `$$` on lines of their own above and below it.'
    const message = `"${excerpt}" looks like a formula of LaTeX: ${advice}`
    found.set(TEX_KIND, { code: 'QN-FOREIGN-SYNTAX', excerpt, message, once: TEX_KIND })
  }

  function visit(node: Nodes, isFirstInQuote: boolean): void {
    if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell')
      look(textOf(node), isFirstInQuote)
    else if (node.type === 'html') {
      if (!/^<(?:!--|(?:script|style|pre)\b)/i.test(node.value)) look(node.value, false)
    } else if ('children' in node)
      for (const [index, child] of node.children.entries())
        visit(child, index === 0 && node.type === 'blockquote')
  }

  function look(text: string, isFirstInQuote: boolean): void {
    for (const { kind, pattern, advice, inQuote } of kinds) {
      if (found.has(kind) || (inQuote === true && !isFirstInQuote)) continue
      const excerpt = (pattern.exec(text)?.[0] ?? '').split('\n')[0]?.slice(0, 100) ?? ''
      if (excerpt === '' || misses > MAX_MISSES) continue
      if (!isWritten(excerpt, source)) {
        misses += 1
        continue
      }
      const message = `"${excerpt}" looks like ${kind}: ${advice}`
      found.set(kind, { code: 'QN-FOREIGN-SYNTAX', excerpt, message, once: kind })
    }
  }
}

function isInCode(node: Nodes, text: string): boolean {
  if (node.type === 'code' || node.type === 'inlineCode') return node.value.includes(text)
  return 'children' in node && node.children.some((child) => isInCode(child, text))
}

/** Returns its text as written, with tags and the targets of links, and without code. */
function textOf(node: Nodes): string {
  switch (node.type) {
    case 'text':
    case 'html':
      return node.value
    case 'inlineCode':
      return '\uFFFC'
    case 'break':
      return '\n'
    case 'link':
    case 'image':
      return `${'children' in node ? node.children.map(textOf).join('') : ''} ${node.url} `
    default:
      return 'children' in node ? node.children.map(textOf).join('') : ''
  }
}

function isWritten(excerpt: string, source: string): boolean {
  for (let at = source.indexOf(excerpt); at !== -1; at = source.indexOf(excerpt, at + 1))
    if (source[at - 1] !== '\\') return true
  return false
}
