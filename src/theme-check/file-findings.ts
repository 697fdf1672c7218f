import { join } from 'node:path'
import { matchType } from '../sections/catalogue.ts'
import { INCLUDES } from '../theme/compile-templates.ts'
import type { ThemeParts } from '../theme/create-theme.ts'
import type { Finding } from './finding.ts'
import type { OwnFiles } from './own-files.ts'

const LAYOUTS = new Set(['page', 'article', 'docs', 'item', 'listing', 'nav-page', 'not-found'])
const READ = new Set(['theme.json', 'style.css', 'labels.json'])
/** What people put beside what they make. */
const BESIDES = /^(readme|licen[cs]e|changelog)(\.[a-z]+)?$/i

/** Files of a theme that no page will ever come by. */
export function fileFindings(
  { templates }: ThemeParts,
  { folder, names, style }: OwnFiles,
): readonly Finding[] {
  const texts = [...templates.values()].map(({ text }) => text)
  // What is put together while rendering could be any.
  const isOpen = texts.some((text) => text.replace(INCLUDES, '').search(/\b(include|layout)\(/) !== -1)
  const included = new Set(texts.flatMap((text) => [...text.matchAll(INCLUDES)].map(([, name]) => name)))
  const asked = [...texts, style?.text ?? '']
  const isNamed = (file: string) => asked.some((text) => text.includes(file))
  return names.flatMap((name) => {
    const [, asset] = /^assets\/([^/]+)$/.exec(name) ?? []
    if (asset !== undefined && isNamed(asset)) return []
    const message = asset === undefined ? whyUnused(name, included, isOpen) : NOT_NAMED
    if (message === null) return []
    return [
      { severity: 'warning', rule: 'unused-file', file: join(folder, name), line: null, message, on: null },
    ]
  })
}

const NOT_NAMED = 'Nothing uses it: neither style.css nor a template names it.'

function whyUnused(name: string, included: ReadonlySet<string | undefined>, isOpen: boolean): string | null {
  if (READ.has(name) || BESIDES.test(name)) return null
  const [, folder, base = ''] = /^(layouts|partials|sections)\/([^/]+)\.eta$/.exec(name) ?? []
  if (included.has(`${folder}/${base}`)) return null
  if (folder === 'layouts') {
    return LAYOUTS.has(base) ? null : `Nothing uses it: there are the layouts ${[...LAYOUTS].join(', ')}.`
  }
  if (folder === 'partials') return isOpen ? null : 'Nothing uses it: no template includes it.'
  if (folder !== 'sections')
    return 'Nothing reads it: templates lie in layouts/, partials/ and sections/ and end in .eta, pictures and fonts in assets/.'
  const { type, known } = matchType(base)
  return known && type !== base ? `Nothing uses it: a section ${base} is rendered by ${type}.eta.` : null
}
