import type { Element } from 'hast'
import type { Code } from 'mdast'
import { attribute, isElement } from './elements.ts'

/** Names of languages of highlighters of WordPress, by the names that Quoin has. */
const LANGUAGES: Readonly<Record<string, string>> = {
  jscript: 'js',
  'c#': 'csharp',
  plain: '',
  plaintext: '',
  text: '',
  none: '',
  generic: '',
  raw: '',
  html5: 'html',
  markup: 'html',
}

/** The code of a `<pre>`, with its language from the classes and attributes that editors write. */
export function codeOf(pre: Element): Code {
  const lang = languageOf(pre)
  return { type: 'code', lang: lang === '' ? null : lang, value: codeText(pre).replace(/^\n|\s+$/g, '') }
}

function languageOf(pre: Element): string {
  const inner = pre.children.find((child) => isElement(child, 'code'))
  const holders = [...(isElement(inner) ? [inner] : []), pre]
  for (const holder of holders) {
    const stated = ['lang', 'dataLang', 'dataLanguage', 'dataCodeBlockLang', 'dataEnlighterLanguage'].map(
      (name) => attribute(holder, name),
    )
    const classes = attribute(holder, 'className')
    const [, named] =
      /(?:^|\s)(?:language|lang|highlight-source|brush:?)[-:\s]+([\w+#.-]+)/i.exec(classes) ?? []
    const written = (named ?? stated.find((each) => each !== '') ?? '').toLowerCase()
    const lang = LANGUAGES[written] ?? written
    if (written !== '') return /^[\w+#.-]{1,30}$/.test(lang) ? lang : ''
  }
  return ''
}

/** The text of code, with its lines. */
function codeText(node: Element): string {
  return node.children
    .map((child) => {
      if (child.type === 'text') return child.value.replaceAll('\u00a0', ' ').replace(/\r\n?/g, '\n')
      if (isElement(child, 'br')) return '\n'
      // Lines of highlighters are elements of their own.
      if (isElement(child, 'div', 'p', 'li', 'tr')) return `${codeText(child)}\n`
      return isElement(child) ? codeText(child) : ''
    })
    .join('')
}
