import type { JsonObject } from '../../domain/json.ts'
import { listOf, textOf } from '../config/config-values.ts'
import type { PageTarget } from '../conversion.ts'

/** Settings of the redirects plugin. */
export interface DocusaurusRedirects {
  /** The address that each path leads to. */
  readonly listed: ReadonlyMap<string, string>
  /** Endings with which pages had addresses before, e.g. `html`. */
  readonly fromExtensions: readonly string[]
  /** Endings that addresses have now and did not have before. */
  readonly toExtensions: readonly string[]
}

/** @param given the options of each use of `@docusaurus/plugin-client-redirects`. */
export function docusaurusRedirects(given: readonly JsonObject[]): DocusaurusRedirects {
  const listed = given
    .flatMap(({ redirects }) => listOf(redirects))
    .flatMap(({ from, to }) => {
      const target = textOf(to)
      const paths = [from ?? []].flat().filter((path) => typeof path === 'string')
      return target === undefined ? [] : paths.map((path) => [path, target] as const)
    })
  return {
    listed: new Map(listed),
    fromExtensions: given.flatMap((options) => extensionsIn(options['fromExtensions'])),
    toExtensions: given.flatMap((options) => extensionsIn(options['toExtensions'])),
  }
}

function extensionsIn(value: JsonObject[string] | undefined): readonly string[] {
  return Array.isArray(value) ? value.flatMap((each) => textOf(each)?.replace(/^\./, '') ?? []) : []
}

/** The target of each path of the plugin, including the paths that it derives from the addresses of pages. */
export function redirectPaths(
  { listed, fromExtensions, toExtensions }: DocusaurusRedirects,
  pages: ReadonlyMap<string, PageTarget>,
): ReadonlyMap<string, string> {
  const derived = [...pages.values()].flatMap(({ originalPath = '', hidden }) => {
    // The plugin leaves out the front page and addresses with a slash or an extension at their end.
    if (hidden !== undefined || originalPath.endsWith('/')) return []
    const ending = toExtensions.find((each) => originalPath.endsWith(`.${each}`))
    const bare = ending === undefined ? [] : [originalPath.slice(0, -ending.length - 1)]
    const longer = /\.\w+$/.test(originalPath) ? [] : fromExtensions.map((each) => `${originalPath}.${each}`)
    return [...bare, ...longer].map((path) => [path, originalPath] as const)
  })
  return new Map([...derived, ...listed])
}
