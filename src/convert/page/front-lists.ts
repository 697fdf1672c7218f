import { posix } from 'node:path'
import { humanise } from '../../page-text/humanise.ts'
import { writeFrontMatter } from '../../page-text/write-front-matter.ts'
import { listOf, objectOf, textOf } from '../config/config-values.ts'
import type { SourceSite } from '../conversion.ts'
import { type ListedArticle, mainBlogOf } from '../links/listed-addresses.ts'
import { LISTED_POSTS } from './page-fields.ts'

/**
 * The front pages of the site and of its languages that the source site generated, by their files.
 *
 * @param routes of pages. The theme generates no front page where a page is one.
 */
export function frontLists(
  { frontList, frontText, fields }: SourceSite,
  name: string,
  routes: ReadonlySet<string>,
  articles: readonly ListedArticle[],
): ReadonlyMap<string, string> {
  if (frontText !== undefined && !routes.has('')) {
    const page = { type: 'page', title: textOf(fields['name']) ?? humanise(name) }
    return new Map([['index.md', writeFrontMatter(page, `${frontText}\n`)]])
  }
  const locales = listOf(fields['locales'])
  const languages = locales.length === 0 ? [{}] : locales
  const folders = languages.map((locale) => textOf(objectOf(locale)['subroute']) ?? '')
  return new Map(
    folders.flatMap((folder): [string, string][] => {
      const own = articles.filter(({ route }) =>
        folder === ''
          ? !folders.some((other) => other !== '' && route.startsWith(`${other}/`))
          : route.startsWith(`${folder}/`),
      )
      const blog = mainBlogOf(own)
      // A blog at the top has its list there.
      if (frontList === undefined || routes.has(folder) || blog === null || blog === folder) return []
      const page = {
        type: 'page',
        title: textOf(fields['name']) ?? name,
        sections: [{ type: 'posts', subroute: blog, limit: LISTED_POSTS }],
      }
      return [[posix.join(folder, 'index.md'), writeFrontMatter(page, '')]]
    }),
  )
}
