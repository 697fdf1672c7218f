import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject } from '../../domain/json.ts'
import { MAX_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH } from '../../domain/page-limits.ts'
import { isSamePath, readRedirectPath } from '../../domain/redirect-path.ts'
import { writeFrontMatter } from '../../page-text/write-front-matter.ts'
import { objectOf, textOf } from '../config/config-values.ts'
import { defined } from '../config/source-config.ts'
import { htmlToMarkdown } from '../html/html-to-markdown.ts'
import { fieldText, firstCharacters } from '../page/field-text.ts'
import type { EntryRoute } from './entry-routes.ts'
import type { ExportedEntry } from './exported-site.ts'
import type { SiteLinks } from './site-links.ts'

export interface ConvertedEntry {
  readonly text: string
  readonly markdown: string
  readonly fields: JsonObject
  readonly diagnostics: readonly Diagnostic[]
}

/** Converts one entry to a page of a content folder. */
export function convertEntry(
  entry: ExportedEntry,
  { route }: EntryRoute,
  { file, blog, links }: { readonly file: string; readonly blog: string; readonly links: SiteLinks },
): ConvertedEntry {
  const { markdown, losses } = htmlToMarkdown(entry.html, {
    addressOf: links.addressOf,
    ...(entry.footnotes !== undefined && { footnotes: entry.footnotes }),
  })
  const title = fieldText(entry.title) ?? 'Untitled'
  const description = fieldText(entry.fields['description'])
  const redirect = redirectOf(entry, route)
  const fields = defined({
    type: entry.type,
    title: firstCharacters(title, MAX_TITLE_LENGTH),
    ...withFiles(entry.fields, links),
    description: description && firstCharacters(description, MAX_DESCRIPTION_LENGTH),
    ...(entry.type === 'article' && { blog }),
    redirect_from: redirect.path === null ? undefined : [redirect.path],
    draft: entry.hidden === undefined ? undefined : true,
  })
  const cut = [
    ...(firstCharacters(title, MAX_TITLE_LENGTH) === title ? [] : [cutAfter('title', MAX_TITLE_LENGTH)]),
    ...((description ?? '').length > MAX_DESCRIPTION_LENGTH
      ? [cutAfter('description', MAX_DESCRIPTION_LENGTH)]
      : []),
  ]
  const hidden =
    entry.hidden === undefined
      ? []
      : [
          {
            code: 'QN-HIDDEN-PAGE' as const,
            message: `${entry.hidden} It is written as a draft, which is not published.`,
          },
        ]
  return {
    text: writeFrontMatter(fields, markdown),
    markdown,
    fields,
    diagnostics: [...hidden, ...entry.losses, ...losses, ...cut, ...redirect.problems].map(
      ({ code, message }) => entryDiagnostic(file, entry, code, message),
    ),
  }
}

/** Fields with the new addresses of their pictures. */
function withFiles(fields: JsonObject, { addressOf }: SiteLinks): JsonObject {
  const picture = textOf(fields['og_image_url'])
  const url = picture === undefined ? undefined : (addressOf(picture, 'file') ?? undefined)
  const image = objectOf(objectOf(fields['config'])['image'])
  const src = textOf(image['src'])
  return defined({
    ...fields,
    og_image_url: url,
    config:
      src === undefined
        ? fields['config']
        : { ...objectOf(fields['config']), image: { ...image, src: addressOf(src, 'file') ?? src } },
  })
}

/** A diagnostic about an entry. It names the address, because the entry has no file of its own. */
export function entryDiagnostic(
  file: string,
  { address, line }: Pick<ExportedEntry, 'address' | 'line'>,
  code: Diagnostic['code'],
  message: string,
): Diagnostic {
  return diagnostic(code, file, `At ${address}: ${message}`, { line })
}

/** The former address of a page that has another one now. A hidden page had none. */
function redirectOf(
  { address, hidden }: ExportedEntry,
  route: string,
): {
  readonly path: string | null
  readonly problems: readonly { code: Diagnostic['code']; message: string }[]
} {
  const path = readRedirectPath(address)
  if (hidden !== undefined || address === '/' || (path !== null && isSamePath(path, `/${route}`)))
    return { path: null, problems: [] }
  if (path !== null && path !== `/${route}`) return { path, problems: [] }
  const message = `The page is at /${route}, and its former address cannot redirect to it.`
  return { path: null, problems: [{ code: 'QN-MOVED-PAGE', message }] }
}

function cutAfter(field: string, length: number): { code: Diagnostic['code']; message: string } {
  return { code: 'QN-PARTLY-CONVERTED', message: `\`${field}\` is cut after ${length} characters.` }
}
