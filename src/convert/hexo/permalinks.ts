import type { JsonObject } from '../../domain/json.ts'
import { textOf } from '../config/config-values.ts'
import { readSourceDate } from '../page/source-date.ts'
import { slugized } from './slug.ts'
import { categoryPath } from './terms.ts'

/** Source: https://hexo.io/docs/permalinks. */
const USUAL = ':year/:month/:day/:title/'

/** The parts of a post that decide its address. */
export interface HexoPost {
  /** The path below `_posts` without ending and date, e.g. `trips/first`. */
  readonly name: string
  /** `2024-05-01`, from the name of the file. Null without one. */
  readonly date: string | null
  readonly fields: JsonObject
}

/** The path of a post on the source site. Null for a pattern with an unknown placeholder. */
export function postAddress(post: HexoPost, config: JsonObject): string | null {
  const stated = textOf(post.fields['permalink'])
  const values = valuesOf(post, config)
  const filled = (stated ?? textOf(config['permalink']) ?? USUAL).replace(
    /:([a-z_]+)/g,
    (placeholder, name: string) => values[name] ?? placeholder,
  )
  return filled.includes(':') ? null : withIndex(`/${filled}`.replace(/\/{2,}/g, '/'))
}

/** The path of a page: Markdown becomes HTML at its own name. */
export function pageAddress(name: string, { permalink }: JsonObject): string {
  const stated = textOf(permalink)
  if (stated !== undefined) return withIndex(`/${stated.replace(/^\/+/, '')}`)
  return `/${name.replace(/\.\w+$/, '.html').replace(/(^|\/)index\.html$/, '$1')}`
}

/** A permalink without an ending is a folder. */
function withIndex(path: string): string {
  return /\.\w+$|\/$/.test(path) ? path : `${path}/`
}

function valuesOf({ name, date, fields }: HexoPost, config: JsonObject): Readonly<Record<string, string>> {
  const written = readSourceDate(fields['date']) ?? readSourceDate(date ?? undefined)
  const [year = '', month = '', day = ''] = (written ?? '').slice(0, 10).split('-')
  const [hour = '00', minute = '00', second = '00'] = (written ?? '').slice(11, 19).split(':')
  return {
    title: name,
    name: name.split('/').at(-1) ?? name,
    post_title: slugized(textOf(fields['title']) ?? name),
    category: categoryPath(fields, config) ?? slugized(textOf(config['default_category']) ?? 'uncategorized'),
    ...(written !== null && {
      year,
      month,
      day,
      hour: hour || '00',
      minute: minute || '00',
      second: second || '00',
      i_month: String(Number(month)),
      i_day: String(Number(day)),
    }),
  }
}
