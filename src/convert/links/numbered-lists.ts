import type { JsonObject } from '../../domain/json.ts'
import { readSourceDate } from '../page/source-date.ts'

/* The paths of lists that follow from the number and the dates of articles. */

/** Numbered pages from the second on. @param pathOf the path of the page with a number. */
export function numberedPaths(size: number, pathOf: (number: string) => string) {
  return (articles: readonly JsonObject[]): readonly string[] => {
    const count = size > 0 ? Math.ceil(articles.length / size) : 1
    return Array.from({ length: Math.max(0, count - 1) }, (_, index) => pathOf(String(index + 2)))
  }
}

/** Archives of the years, months and days of articles below a path, as far as they are asked for. */
export function archivePaths(pathOf: (date: readonly string[]) => string | null) {
  return (articles: readonly JsonObject[]): readonly string[] => {
    const dates = articles.flatMap(({ date }) => readSourceDate(date)?.slice(0, 10).split('-') ?? [])
    const paths = dates.flatMap((_, index) => {
      if (index % 3 !== 0) return []
      const [year = '', month = '', day = ''] = dates.slice(index, index + 3)
      return [[year], [year, month], [year, month, day]].flatMap((date) => pathOf(date) ?? [])
    })
    return [...new Set(paths)]
  }
}
