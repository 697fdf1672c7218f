import { readFeedGuid } from '../../domain/feed-guid.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import {
  MAX_AUTHOR_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_NAV_ORDER,
  MAX_TITLE_LENGTH,
} from '../../domain/page-limits.ts'
import { readSeries } from '../../domain/series.ts'
import { headingText } from '../../page-text/first-heading.ts'
import { humanise } from '../../page-text/humanise.ts'
import type { FieldProblem, GeneratorName, PageTarget } from '../conversion.ts'
import {
  CONFIG_FIELDS_READ,
  EDIT_FIELDS,
  fateOf,
  ORDER_FIELDS,
  PUBLISHED_FIELDS,
  UNSUPPORTED,
  UPDATED_FIELDS,
} from './field-names.ts'
import {
  authorNotice,
  drawingNotice,
  type FieldNotice,
  leftOut,
  quotedValue,
  termNotice,
  unreadNotice,
} from './field-problems.ts'
import { fieldText, firstCharacters } from './field-text.ts'
import { authorOf, authorProblems } from './page-author.ts'
import { dateIn, dateProblems } from './page-dates.ts'
import { coverOf, imageOf, imageProblems, isImage } from './page-image.ts'
import { termsOf } from './page-tags.ts'
import { robotsOf } from './robots.ts'
import { readSourceDate } from './source-date.ts'
import { readTitleHeading } from './title-heading.ts'

export interface ConvertedFields {
  readonly fields: JsonObject
  /** Without a heading that repeats the title. */
  readonly body: string
  readonly problems: readonly FieldProblem[]
  /** Diagnostics of fields. Each is reported once, however many files have the field. */
  readonly notices: readonly FieldNotice[]
}

/**
 * Converts front matter to the fields of a page of a content folder. Fields without a counterpart go to `config`,
 * where themes can read them.
 */
export function convertFields(
  frontMatter: JsonObject,
  body: string,
  { type, lang, blog, robots, lists }: PageTarget,
  {
    from,
    name,
    fileDate,
    order,
    redirectFrom,
    guid,
    linkTo,
  }: {
    readonly from: GeneratorName
    /** Becomes the title of a page without one. */
    readonly name: string
    /** The date in the name of the file, e.g. `2024-05-01`. */
    readonly fileDate: string | null
    /** The position from the source site's configuration. */
    readonly order: number | null
    readonly redirectFrom: readonly string[]
    /** The id of an article in the feed of the source site; undefined for none. */
    readonly guid: string | undefined
    readonly linkTo: (target: string) => string | null
  },
): ConvertedFields {
  const heading = readTitleHeading(body)
  const title =
    fieldText(frontMatter['title']) ??
    fieldText(frontMatter['linkTitle']) ??
    plainText(heading?.text) ??
    humanise(name)
  const description =
    fieldText(frontMatter['description']) ??
    fieldText(frontMatter['summary']) ??
    fieldText(frontMatter['excerpt'])
  const author = type === 'article' ? authorOf(frontMatter) : undefined
  const navOrder = type === 'docs' ? (orderOf(frontMatter) ?? order ?? undefined) : undefined
  const tags = termsOf(frontMatter)
  const image = imageOf(frontMatter, linkTo)
  const given = Object.entries(frontMatter).filter(
    ([field, value]) => !Object.hasOwn(UNSUPPORTED, field) && !isImage(field, value),
  )
  const others = given.filter(([field, value]) => fateOf(field, value, { from, type }) === 'kept')
  const editUrl = EDIT_FIELDS.map((field) => frontMatter[field]).find((value) => typeof value === 'string')
  const config = {
    ...(type === 'article' && coverOf(image)),
    ...(editUrl !== undefined && { edit_url: editUrl }),
    ...Object.fromEntries(others),
  }
  const fields = {
    type: type === 'docs' ? undefined : type,
    title: firstCharacters(title, MAX_TITLE_LENGTH),
    description: description && firstCharacters(description, MAX_DESCRIPTION_LENGTH),
    lang: fieldText(frontMatter['lang']) ?? lang,
    meta: robotsField(robots ?? robotsOf(frontMatter)),
    og_image_url: image?.url ?? undefined,
    redirect_from: redirectFrom.length === 0 ? undefined : redirectFrom,
    tags: tags.kept.length === 0 ? undefined : tags.kept,
    draft: frontMatter['draft'] === true || frontMatter['published'] === false ? true : undefined,
    ...(type === 'article' && {
      publish_date:
        dateIn(frontMatter, PUBLISHED_FIELDS) ?? readSourceDate(fileDate ?? undefined) ?? undefined,
      author: author && firstCharacters(author, MAX_AUTHOR_LENGTH),
      blog,
      series: readSeries(frontMatter['series'])?.name,
      guid: readFeedGuid(frontMatter['guid']) ?? readFeedGuid(guid) ?? undefined,
    }),
    ...((type === 'article' || type === 'docs') && { last_updated: dateIn(frontMatter, UPDATED_FIELDS) }),
    sections: lists === undefined ? undefined : [{ type: 'posts', subroute: lists, limit: LISTED_POSTS }],
    nav_order: navOrder && Math.max(-MAX_NAV_ORDER, Math.min(navOrder, MAX_NAV_ORDER)),
    config: Object.keys(config).length === 0 ? undefined : config,
  }
  // Pages show their title, so a heading that repeats it is removed.
  const isTitle =
    heading !== null && (plainText(heading.text) === title || frontMatter['title'] === undefined)
  return {
    fields: Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== undefined),
    ) as JsonObject,
    body: isTitle ? body.slice(heading.length).replace(/^(\r?\n)+/, '') : body,
    notices: given.flatMap(([field, value]): FieldNotice[] => {
      const fate = fateOf(field, value, { from, type })
      if (type !== 'article' && /^authors?$/.test(field)) return [authorNotice(field)]
      if (/^categor(y|ies)$/.test(field)) return [termNotice(field)]
      if (fate === 'drawing') return [drawingNotice(field)]
      return fate === 'kept' && !CONFIG_FIELDS_READ.has(field) ? [unreadNotice(field)] : []
    }),
    problems: [
      ...Object.keys(frontMatter).flatMap((field) =>
        Object.hasOwn(UNSUPPORTED, field) ? [leftOut(field, UNSUPPORTED[field] ?? '')] : [],
      ),
      ...(type === 'article'
        ? ORDER_FIELDS.filter((field) => frontMatter[field] !== undefined).map((field) =>
            leftOut(field, 'articles are sorted by date'),
          )
        : []),
      ...(isTitle && heading.anchor !== null ? [anchorLeftOut(heading.anchor)] : []),
      ...imageProblems(image, frontMatter),
      ...(type === 'article' ? authorProblems(frontMatter) : []),
      ...tags.others.map((name) =>
        leftOut('tags', `${quotedValue(name)} is not a name that a tag can have, or one too many`),
      ),
      ...dateProblems(frontMatter, type),
      ...truncated('title', title, MAX_TITLE_LENGTH),
      ...truncated('description', description ?? '', MAX_DESCRIPTION_LENGTH),
      ...truncated('author', author ?? '', MAX_AUTHOR_LENGTH),
      ...outOfRange(navOrder ?? 0),
    ],
  }
}

function robotsField(robots: string | undefined): JsonObject | undefined {
  return robots === undefined ? undefined : { robots }
}

function anchorLeftOut(anchor: string): FieldProblem {
  const message = `The anchor \`${anchor}\` is left out: the title of a page has none.`
  return { code: 'QN-PARTLY-CONVERTED', field: null, message }
}

function truncated(field: string, text: string, maxLength: number): readonly FieldProblem[] {
  if (firstCharacters(text, maxLength) === text) return []
  const message = `\`${field}\` is cut after ${maxLength} characters.`
  return [{ code: 'QN-PARTLY-CONVERTED', field, message }]
}

function outOfRange(order: number): readonly FieldProblem[] {
  if (Math.abs(order) <= MAX_NAV_ORDER) return []
  const range = `${(-MAX_NAV_ORDER).toLocaleString('en')} and ${MAX_NAV_ORDER.toLocaleString('en')}`
  return [
    {
      code: 'QN-PARTLY-CONVERTED',
      field: 'nav_order',
      message: `\`nav_order\` is ${order}, and becomes the nearest number between ${range}.`,
    },
  ]
}

/** The number of posts on a front page in most themes. */
export const LISTED_POSTS = 10

/** Longer headings are cut before they are read: a title is shorter. */
const MAX_HEADING = 2000

function plainText(heading: string | undefined): string | undefined {
  return heading === undefined ? undefined : fieldText(headingText(heading.slice(0, MAX_HEADING)))
}

function orderOf(frontMatter: JsonObject): number | undefined {
  const navigation = isJsonObject(frontMatter['eleventyNavigation'])
    ? frontMatter['eleventyNavigation']['order']
    : undefined
  const given = [...ORDER_FIELDS.map((name) => frontMatter[name]), navigation]
  return given.find((value): value is number => Number.isInteger(value))
}
