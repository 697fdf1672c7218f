import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { prefixOf } from '../config/configured-folder.ts'
import type { SourceFiles } from '../conversion.ts'
import type { SourceLanguage } from '../page/connected-locales.ts'
import { type HugoMount, mountedName } from './folders.ts'

/** The languages of a Hugo site. */
export interface HugoLanguages {
  /** The main language, in lower case. */
  readonly own: string
  /** The tags of the other languages, by their names in the configuration. */
  readonly others: ReadonlyMap<string, string>
  /** The folder of the main language in addresses; empty where its pages are at the top. */
  readonly ownFolder: string
  /** Every language, the main one first. */
  readonly all: readonly SourceLanguage[]
}

export function hugoLanguages({
  defaultContentLanguage,
  defaultContentLanguageInSubdir: isBelow,
  languages,
}: JsonObject): HugoLanguages {
  const own = String(defaultContentLanguage ?? 'en').toLowerCase()
  const named = Object.entries(isJsonObject(languages) ? languages : {}).map(([name, given]) => {
    const fields = isJsonObject(given) ? given : {}
    const tag = fields['languageCode'] ?? fields['locale']
    const label = fields['languageName'] ?? fields['label']
    const folder = name.toLowerCase()
    return {
      folder,
      tag: typeof tag === 'string' ? tag : name,
      ...(typeof label === 'string' && { label }),
    }
  })
  const others = named.filter(({ folder }) => folder !== own)
  const main = named.find(({ folder }) => folder === own) ?? { folder: own, tag: own }
  return {
    own,
    others: new Map(others.map(({ folder, tag }) => [folder, tag])),
    ownFolder: isBelow === true ? own : '',
    all: [
      { ...main, folder: isBelow === true ? own : '', ...(isBelow === true && { home: '/' }) },
      ...others,
    ],
  }
}

/** Maps `about.de.md` to `de/about.md`, where Hugo serves it. */
export function inLanguage(
  name: string,
  { own, others }: HugoLanguages,
): { name: string; lang: string | undefined } {
  const [, bare = '', suffix = '', ending = ''] =
    /^(.*)\.([a-z]{2,3}(?:-[a-z0-9]+)*)(\.\w+)$/i.exec(name) ?? []
  const language = suffix.toLowerCase()
  if (others.has(language)) return { name: `${language}/${bare}${ending}`, lang: others.get(language) }
  if (suffix !== '' && language === own) return { name: `${bare}${ending}`, lang: undefined }
  return { name, lang: others.get(name.split('/')[0]?.toLowerCase() ?? '') }
}

/** The folder of the pages in the main language. They may have one of their own, whose name Hugo does not serve. */
export function contentRootOf(
  { paths }: SourceFiles,
  mounts: readonly HugoMount[],
  { own }: HugoLanguages,
): string {
  const main = mounts.find(({ lang }) => lang === own) ?? mounts.find(({ lang }) => lang === undefined)
  const root = prefixOf(main?.source ?? 'content')
  const inside = `${root}${own}/`
  return paths.some((path) => path.startsWith(inside) && path.endsWith('.md')) ? inside : root
}

/** The path of each file of the content, below the content and the name of its language. */
export function contentNames(
  { paths }: SourceFiles,
  mounts: readonly HugoMount[],
  contentRoot: string,
  { own, others }: HugoLanguages,
): ReadonlyMap<string, string> {
  return new Map(
    paths.flatMap((path): [string, string][] => {
      const mounted = mountedName(path, mounts)
      if (mounted === null) return []
      const { name, lang } = mounted
      if (lang !== undefined && lang !== own && others.has(lang)) return [[path, `${lang}/${name}`]]
      const isInFolderOfLanguage =
        lang === undefined && contentRoot.endsWith(`${own}/`) && path.startsWith(contentRoot)
      return [[path, isInFolderOfLanguage ? path.slice(contentRoot.length) : name]]
    }),
  )
}
