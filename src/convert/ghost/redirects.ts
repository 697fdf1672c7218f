import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { isJsonObject } from '../../domain/json.ts'
import { objectOf, textOf } from '../config/config-values.ts'
import { readYaml } from '../config/source-config.ts'

/** Plain paths. Others are patterns. */
const PATH = /^\^?\/?([\w\-./~%+@]*?)\/?\??\$?$/

/** Redirects of `redirects.yaml` or `redirects.json` next to an export. Patterns are reported. */
export function ghostRedirects(
  file: string,
  text: string,
): { readonly redirects: ReadonlyMap<string, string>; readonly diagnostics: readonly Diagnostic[] } {
  const given = pairsIn(file, text)
  if (typeof given === 'string')
    return {
      redirects: new Map(),
      diagnostics: [diagnostic('QN-SOURCE-UNREADABLE', file, `The redirects cannot be read: ${given}`)],
    }
  const isPlain = ([from, to]: readonly [string, string]) => PATH.test(from) && !/\$\d/.test(to)
  const patterns = given.filter((pair) => !isPlain(pair))
  return {
    redirects: new Map(
      given.filter(isPlain).map(([from, to]) => [`/${PATH.exec(from)?.[1] ?? ''}`.replace(/\\/g, ''), to]),
    ),
    diagnostics: patterns.map(([from]) =>
      diagnostic(
        'QN-UNUSED-REDIRECT',
        file,
        `The redirect from ${from} is left out: redirects have no patterns.`,
        {
          line: lineOf(text, from),
        },
      ),
    ),
  }
}

function pairsIn(file: string, text: string): readonly (readonly [string, string])[] | string {
  if (file.endsWith('.json')) {
    const list = readYaml(`list: ${text.replaceAll('\t', ' ').replace(/\n/g, '\n ')}`)
    if (typeof list === 'string') return list
    const items = Array.isArray(list['list']) ? list['list'].filter(isJsonObject) : []
    return items.flatMap(({ from, to }) => pair(textOf(from), textOf(to)))
  }
  const read = readYaml(text)
  if (typeof read === 'string') return read
  return ['301', '302'].flatMap((status) =>
    Object.entries(objectOf(read[status])).flatMap(([from, to]) => pair(from, textOf(to))),
  )
}

function pair(from: string | undefined, to: string | undefined): readonly (readonly [string, string])[] {
  return from === undefined || to === undefined ? [] : [[from, to]]
}

function lineOf(text: string, from: string): number | null {
  const index = text.split('\n').findIndex((line) => line.includes(from))
  return index === -1 ? null : index + 1
}
