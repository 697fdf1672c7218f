import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { normalForm } from '../../domain/normal-form.ts'
import { objectOf, textOf } from '../config/config-values.ts'
import type { PageTarget } from '../conversion.ts'
import { routeOf } from '../page/page-route.ts'

export function blogFolder(options: JsonObject): string {
  return (textOf(options['blog_dir']) ?? 'blog').replace(/^\.?\/|\/$/g, '')
}

/** A post of the blog plugin. Null for another page. @param name the path below `docs_dir`. */
export function blogPost(
  name: string,
  fields: JsonObject,
  options: JsonObject,
  authors: JsonObject,
): { readonly target: PageTarget; readonly overrides: JsonObject } | null {
  const folder = blogFolder(options)
  const posts = (textOf(options['post_dir']) ?? '{blog}/posts')
    .replace('{blog}', folder)
    .replace(/^\.?\//, '')
  if (!name.startsWith(`${posts}/`)) return null
  const own = name
    .slice(posts.length + 1)
    .replace(/\.md$/, '')
    .replace(/(^|\/)index$/, '')
  const created = isJsonObject(fields['date']) ? fields['date']['created'] : fields['date']
  const updated = isJsonObject(fields['date']) ? fields['date']['updated'] : undefined
  const title = textOf(fields['title'])
  const slug = textOf(fields['slug']) ?? (title === undefined ? (own.split('/').at(-1) ?? '') : slugOf(title))
  const date = typeof created === 'string' ? created : ''
  return {
    target: {
      route: routeOf(`${folder}/${own.split('/').at(-1) ?? slug}`),
      type: 'article',
      ...addressOf(textOf(options['post_url_format']) ?? '{date}/{slug}', folder, date, slug),
      ...(fields['draft'] === true && { hidden: 'It is a draft.' }),
    },
    overrides: {
      ...(isJsonObject(fields['date']) && typeof created === 'string' && { date: created }),
      ...(typeof updated === 'string' && { lastmod: updated }),
      ...authorOf(fields['authors'], objectOf(authors['authors'])),
    },
  }
}

/** The address of a post. Without one when its format names other values than the date and the slug. */
function addressOf(format: string, folder: string, date: string, slug: string): { originalPath?: string } {
  const filled = format.replace('{date}', date.slice(0, 10).replaceAll('-', '/')).replace('{slug}', slug)
  return /[{}]/.test(filled)
    ? {}
    : { originalPath: `/${folder === '' || folder === '.' ? '' : `${folder}/`}${filled}/` }
}

function authorOf(given: JsonValue | undefined, authors: JsonObject): JsonObject {
  const [first] = [given].flat()
  const author = typeof first === 'string' ? authors[first] : undefined
  return isJsonObject(author) && typeof author['name'] === 'string' ? { author: author['name'] } : {}
}

/** A title as it stands in an address. */
export function slugOf(title: string): string {
  return normalForm(title, 'NFKD')
    .replace(/[^\p{L}\p{N}\s_-]+/gu, '')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-')
}
