import { join } from 'node:path'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { matchType } from '../sections/catalogue.ts'
import { INCLUDES } from '../theme/compile-templates.ts'
import type { ThemeParts } from '../theme/create-theme.ts'
import type { OwnFiles } from './own-files.ts'

const KNOWN_FILES = new Set(['theme.json', 'style.css', 'labels.json', 'script.js'])
/** Files for readers, which pages do not use. */
const DOCUMENTS = /^(readme|licen[cs]e|changelog)(\.[a-z]+)?$/i

/** Reports files of a theme that no page uses. */
export function checkFiles(
  { templates }: ThemeParts,
  { folder, names, style }: OwnFiles,
): readonly Diagnostic[] {
  const texts = [...templates.values()].map(({ text }) => text)
  // A name that is computed while rendering could be any partial.
  const hasComputedNames = texts.some(
    (text) => text.replace(INCLUDES, '').search(/\b(include|layout)\(/) !== -1,
  )
  const included = new Set(texts.flatMap((text) => [...text.matchAll(INCLUDES)].map(([, name]) => name)))
  const referring = [...texts, style?.text ?? '']
  return names.flatMap((name) => {
    const [, asset] = /^assets\/([^/]+)$/.exec(name) ?? []
    if (asset !== undefined && referring.some((text) => text.includes(asset))) return []
    const message = asset === undefined ? unusedReason(name, names, included, hasComputedNames) : UNUSED_ASSET
    return message === null ? [] : [diagnostic('QN-UNUSED-FILE', join(folder, name), message)]
  })
}

const UNUSED_ASSET = 'Neither style.css nor a template names this file.'

/** Returns null for a file that is used, or may be. */
function unusedReason(
  name: string,
  names: readonly string[],
  included: ReadonlySet<string | undefined>,
  hasComputedNames: boolean,
): string | null {
  if (KNOWN_FILES.has(name) || DOCUMENTS.test(name)) return null
  const [, folder, base = ''] = /^(layouts|partials|sections)\/([^/]+)\.eta$/.exec(name) ?? []
  if (included.has(`${folder}/${base}`)) return null
  // Pages choose the layouts that are of no type.
  if (folder === 'layouts') return null
  if (folder === 'partials') return hasComputedNames ? null : 'No template includes this partial.'
  if (/^components\/[^/]+\.(?:eta|yaml)$/.test(name)) return null
  if (/^sections\/[^/]+\.json$/.test(name) && names.includes(name.replace(/json$/, 'eta'))) return null
  if (folder !== 'sections')
    return 'This file is not read. Templates end in .eta and belong in layouts/, partials/, sections/ or components/, scripts, images and fonts in assets/.'
  const { type, known } = matchType(base)
  return known && type !== base ? `A section of type ${base} is rendered by ${type}.eta instead.` : null
}
