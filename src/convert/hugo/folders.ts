import { posix } from 'node:path'
import type { Diagnostic } from '../../domain/diagnostic.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { listOf, objectOf, textOf } from '../config/config-values.ts'
import { configuredFolder, prefixOf } from '../config/configured-folder.ts'
import type { SourceFiles } from '../conversion.ts'

/** A folder of files, and where Hugo puts them. Paths have no leading and trailing slashes. */
export interface HugoMount {
  readonly source: string
  /** The folder below `content`, `static` or `assets`, often empty. */
  readonly below: string
  /** The language of a folder of pages, when the configuration names it. */
  readonly lang: string | undefined
}

export interface HugoFolders {
  readonly content: readonly HugoMount[]
  readonly static: readonly HugoMount[]
  readonly assets: readonly HugoMount[]
  /** Folders of the theme and its data. */
  readonly theme: readonly string[]
}

/** Names and places of the components of a site, as the configuration sets them. */
const USUAL = { content: 'contentDir', static: 'staticDir', assets: 'assetDir' } as const
const THEME = { layoutDir: 'layouts', dataDir: 'data', i18nDir: 'i18n' } as const
/** Hugo reads `staticDir0` to `staticDir10` too. */
const STATIC = /^staticDir\d{0,2}$/

/**
 * The folders of a Hugo site: the sources of mounts, or else `contentDir`, `staticDir` and `assetDir`, or else the
 * usual ones. Source: https://gohugo.io/configuration/module/#mounts.
 *
 * @param file the file of the configuration, for messages.
 */
export function hugoFolders(
  files: SourceFiles,
  config: JsonObject,
  file: string,
  diagnostics: Diagnostic[],
): HugoFolders {
  const mounts = listOf(objectOf(config['module'])['mounts'])
  const languages = Object.entries(objectOf(config['languages'])).filter(([, own]) => isJsonObject(own))
  const locate = (name: string, field: string) =>
    configuredFolder(files, name, { file, field, root: '' }, diagnostics)

  return {
    content: mountsOf('content'),
    static: mountsOf('static'),
    assets: mountsOf('assets'),
    theme: Object.entries(THEME).map(([field, usual]) => textOf(config[field]) ?? usual),
  }

  function mountsOf(component: keyof typeof USUAL): readonly HugoMount[] {
    const mounted = mounts.flatMap(({ source, target, lang }): HugoMount[] => {
      const [name, to] = [textOf(source), textOf(target)]
      if (name === undefined || to === undefined || to.split('/')[0] !== component) return []
      const folder = locate(name, 'module.mounts')
      return folder === null
        ? []
        : [{ source: folder, below: to.split('/').slice(1).join('/'), lang: textOf(lang) }]
    })
    if (mounted.length > 0) return mounted
    const field = USUAL[component]
    const own = languages.flatMap(([lang, given]) =>
      namesIn(objectOf(given), field).flatMap((name) => mount(name, `languages.${lang}.${field}`, lang)),
    )
    const shared = namesIn(config, field).flatMap((name) => mount(name, field, undefined))
    const usual = { source: component, below: '', lang: undefined }
    // A language without a folder of its own has the shared one.
    const isShared = own.length === 0 || own.length < languages.length
    return [...own, ...(shared.length > 0 ? shared : isShared ? [usual] : [])]
  }

  function mount(name: string, field: string, lang: string | undefined): readonly HugoMount[] {
    const folder = locate(name, field)
    return folder === null ? [] : [{ source: folder, below: '', lang: lang?.toLowerCase() }]
  }
}

/** The folders of a setting: a text or a list, for `staticDir` also under names with a number. */
function namesIn(given: JsonObject, field: string): readonly string[] {
  const values = Object.entries(given).flatMap(([name, value]): JsonValue[] =>
    name === field || (field === 'staticDir' && STATIC.test(name)) ? [value].flat() : [],
  )
  return values.flatMap((value) => textOf(value) ?? [])
}

/**
 * The path of a file below the component that one of the mounts puts it into. Null for a file in none of them. Of
 * folders in each other, the inner one decides.
 */
export function mountedName(
  path: string,
  mounts: readonly HugoMount[],
): { readonly name: string; readonly lang: string | undefined } | null {
  const holding = mounts.filter(({ source }) => path.startsWith(prefixOf(source)))
  const [inner] = holding.toSorted((one, other) => other.source.length - one.source.length)
  if (inner === undefined) return null
  return {
    name: posix.join(inner.below, path.slice(prefixOf(inner.source).length)),
    lang: inner.lang?.toLowerCase(),
  }
}
