import type { Element, ElementContent } from 'hast'

/** A box for a code block: the theme's copy button goes there, and the keyboard can scroll it. */
export function polishCodeBlock(pre: Element): readonly ElementContent[] {
  const language = languageOf(pre)
  // Code runs from left to right on an Arabic page, too.
  const properties = { className: ['code'], dir: 'ltr', ...(language !== null && { dataLang: language }) }
  pre.properties = { tabIndex: 0, ...pre.properties }
  return [{ type: 'element', tagName: 'div', properties, children: [pre] }]
}

function languageOf({ children: [code] }: Element): string | null {
  if (code?.type !== 'element' || !Array.isArray(code.properties['className'])) return null
  const [language] = code.properties['className']
  return language === undefined ? null : String(language).slice('language-'.length)
}
