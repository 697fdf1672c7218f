import { isJsonObject } from '../domain/json.ts'
import { PAGE_TYPES } from '../domain/page.ts'
import { SITE_FILE } from './file-kind.ts'
import { isIndexFile, isMarkdownFile, isNotFoundFile } from './page-name.ts'
import type { PageParts } from './page-parts.ts'
import { isParseIssue } from './yaml-source.ts'

/*
 * A `.yaml` or `.json` file is a page by its name, or by what it holds. All others are files that a page may offer for
 * download, such as the data of a chart.
 */

/** Reports whether a file is YAML or JSON that may be no page. */
export function mayBeDownload(path: string): boolean {
  const isPage = isMarkdownFile(path) || isIndexFile(path) || isNotFoundFile(path)
  return path !== SITE_FILE && !isPage && /(?<!\.page)\.(yaml|json)$/i.test(path)
}

/** Begins the line of a field that only pages have. */
const PAGE_FIELD = /^(?:[ \t]*(?:\{[ \t]*)?"(?:title|sections)"|(?:title|sections))[ \t]*:/m

/** Reports whether a file that may be no page holds one: it has a title, sections or the type of a page. */
export function holdsPage(path: string, text: string, fields: PageParts['fields']): boolean {
  // A page with a mistake is to be reported as such.
  if (isParseIssue(fields)) return PAGE_FIELD.test(text)
  if (!isJsonObject(fields.value)) return false
  const { title, sections, type } = fields.value
  if (sections !== undefined || PAGE_TYPES.some((one) => one === type)) return true
  // JSON of many other kinds has a title and a type of its own, such as a JSON Schema.
  return title !== undefined && (type === undefined || !/\.json$/i.test(path))
}
