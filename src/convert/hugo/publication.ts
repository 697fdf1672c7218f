import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { matchesGlob } from '../files/source-glob.ts'
import { hiddenByDate } from '../page/publication.ts'
import { hugoFields } from './field-names.ts'

/** Values that a page sets for the pages below it, by its folder; the empty folder is the whole site. */
export type Cascades = ReadonlyMap<string, readonly JsonObject[]>

const DATES = { starts: ['publishDate', 'date'], ends: ['expiryDate'] }

export function cascadeOf({ cascade }: JsonObject): readonly JsonObject[] {
  return [cascade ?? []]
    .flat()
    .filter((each) => isJsonObject(each))
    .map(hugoFields)
}

/** The values that apply to a page, its own first. @param name the path of the page below `content`. */
export function withCascade(name: string, fields: JsonObject, cascades: Cascades): JsonObject {
  const folders = name.split('/').map((_, index, names) => names.slice(0, index).join('/'))
  // A closer folder wins. In one folder, the first.
  const values = folders.flatMap((folder) =>
    (cascades.get(folder) ?? [])
      .filter((cascade) => isTarget(name, cascade['target'] ?? cascade['_target']))
      .toReversed(),
  )
  return Object.assign({}, ...values.map(withoutTarget), fields)
}

function withoutTarget({ target: _, _target: __, params, ...values }: JsonObject): JsonObject {
  return { ...values, ...(isJsonObject(params) ? params : {}) }
}

function isTarget(name: string, target: JsonValue | undefined): boolean {
  if (!isJsonObject(target)) return true
  const { path, kind } = target
  const bare = name.replace(/((^|\/)_?index)?\.\w+$/, '')
  const own = !/(^|\/)_index\.\w+$/.test(name) ? 'page' : bare === '' ? 'home' : 'section'
  return (
    (typeof kind !== 'string' || matchesGlob(own, kind)) &&
    // Each of the alternatives in braces begins with a slash.
    (typeof path !== 'string' || matchesGlob(`/${bare}`, `{${path}}`))
  )
}

/** Reports whether Hugo renders the page and lists it nowhere. */
export function isUnlistedInHugo(fields: JsonObject): boolean {
  const build = fields['build'] ?? fields['_build']
  const list = isJsonObject(build) ? build['list'] : undefined
  return list === 'never' || list === false
}

/** The reason why Hugo does not render the page, or undefined. */
export function hiddenInHugo(fields: JsonObject, config: JsonObject, now: Date): string | undefined {
  const build = fields['build'] ?? fields['_build']
  const render = isJsonObject(build) ? build['render'] : undefined
  if (render === 'never' || render === 'link' || render === false || fields['headless'] === true)
    return 'The page is not rendered: `build.render` or `headless` says so.'
  const hidden = hiddenByDate(fields, now, DATES)
  if (hidden === undefined) return undefined
  const isExpired = hidden.startsWith('It expired')
  return config[isExpired ? 'buildExpired' : 'buildFuture'] === true ? undefined : hidden
}
