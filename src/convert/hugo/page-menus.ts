import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { listOf, objectOf, textOf } from '../config/config-values.ts'
import type { PageTarget, SourceFiles } from '../conversion.ts'
import { splitSourcePage } from '../page/source-front-matter.ts'
import { menusOf } from './config.ts'
import type { HugoLanguages } from './languages.ts'

/** An entry of a menu that a page states for itself. */
interface PageEntry {
  readonly menu: string
  readonly entry: JsonObject
  /** The name of the page's language in the configuration; empty for the main one. */
  readonly language: string
}

/** The configuration with the entries that pages state in their `menus`. Source: https://gohugo.io/content-management/menus/. */
export function withPageMenus(
  config: JsonObject,
  files: SourceFiles,
  pages: ReadonlyMap<string, PageTarget>,
  { others }: HugoLanguages,
): JsonObject {
  const entries = [...pages].flatMap(([path, target]) => {
    if (target.hidden !== undefined) return []
    const { fields } = splitSourcePage(files.text(path) ?? '')
    const language = [...others].find(([, tag]) => tag === target.lang)?.[0] ?? ''
    return fields['draft'] === true ? [] : entriesOf(fields, target).map((each) => ({ ...each, language }))
  })
  if (entries.length === 0) return config
  const own = entries.filter(({ language }) => language === '')
  const languages = Object.entries(objectOf(config['languages'])).map(([name, given]) => {
    const theirs = entries.filter(({ language }) => language === name.toLowerCase())
    const fields = objectOf(given)
    const base = Object.keys(menusOf(fields)).length > 0 ? menusOf(fields) : menusOf(config)
    return [name, theirs.length === 0 ? fields : { ...fields, menus: joined(base, theirs) }] as const
  })
  const { menu: _, ...rest } = config
  return {
    ...rest,
    menus: joined(menusOf(config), own),
    ...(languages.length > 0 && { languages: Object.fromEntries(languages) }),
  }
}

/** A page names menus by their names alone, or with fields of its entries. */
function entriesOf(fields: JsonObject, { route }: PageTarget): readonly Omit<PageEntry, 'language'>[] {
  const named = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]))
  const given: JsonValue | undefined = named['menus'] ?? named['menu']
  const title = textOf(named['linktitle']) ?? textOf(named['title']) ?? route
  const entry = (own: JsonObject) => ({
    name: own['name'] ?? title,
    url: `/${route}`,
    weight: own['weight'] ?? named['weight'] ?? 0,
  })
  if (isJsonObject(given))
    return Object.entries(given).map(([menu, own]) => ({ menu, entry: entry(objectOf(own)) }))
  return [given ?? []].flat().map((menu) => ({ menu: String(menu), entry: entry({}) }))
}

function joined(menus: JsonObject, entries: readonly PageEntry[]): JsonObject {
  const names = new Set([...Object.keys(menus), ...entries.map(({ menu }) => menu)])
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      [...listOf(menus[name]), ...entries.flatMap(({ menu, entry }) => (menu === name ? [entry] : []))],
    ]),
  )
}
