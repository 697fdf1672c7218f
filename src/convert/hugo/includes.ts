import { mapLinks } from '../../page-text/map-links.ts'
import { backticksFor } from '../body/backticks.ts'
import type { BodyContext } from '../conversion.ts'
import { splitSourcePage } from '../page/source-front-matter.ts'

/** Shortcodes of the same names in most themes: they print another page, or a file. */
const INCLUDE =
  /\{\{([<%])\s*(?:include|include-file|includefile|readfile|snippet)\s+((?:"[^"\n]*"|`[^`\n]*`|[^\s"`{}<>%])+(?:\s+[\w-]+=(?:"[^"\n]*"|[^\s"{}<>%]+))*)\s*(?:\/\s*)?[>%]\}\}/g
const ENDINGS = ['', '.md', '/index.md', '/_index.md']
/** Included texts may include others. */
const MAX_DEPTH = 5

/** Replaces shortcodes that include a page or a text file by its text. Others stay, and are reported later. */
export function includeTexts(body: string, context: BodyContext): string {
  return include(body, context.path, 0)

  function include(text: string, path: string, depth: number): string {
    return text.replace(INCLUDE, (tag, _mark, given: string) => {
      const named = argument(given, 'file') ?? argument(given, 'path') ?? argument(given, '')
      if (named === undefined || depth >= MAX_DEPTH || !/^[^*:]+$/.test(named)) return tag
      const found = textAt(named, path)
      if (found === null) return tag
      if (argument(given, 'code') === 'true') return fenced(found.text, argument(given, 'lang') ?? '')
      if (!/\.(md|markdown)$/.test(found.path)) return tag
      const inner = splitSourcePage(found.text.replaceAll('\r\n', '\n')).body.trim()
      const linked = mapLinks(inner, (link) =>
        /^[/#]|^[a-z][a-z0-9+.-]*:/i.test(link) ? link : (context.linkTo(link, found.path) ?? link),
      )
      return include(linked, found.path, depth + 1)
    })
  }

  /** Next to the page, then below the content folder. */
  function textAt(name: string, from: string): { readonly path: string; readonly text: string } | null {
    for (const each of name.startsWith('/') ? [name] : [name, `/${name}`])
      for (const ending of ENDINGS) {
        const text = context.textOf(each + ending, from)
        if (text !== null) return { path: context.pathOf(each + ending, from), text }
      }
    return null
  }
}

/** The value of an argument. The name of the first one is empty. */
function argument(given: string, name: string): string | undefined {
  const pattern = name === '' ? /^(?:"([^"]*)"|`([^`]*)`|([^\s"`=]+)(?=\s|$))/ : NAMED[name]
  const [, ...values] = pattern?.exec(given) ?? []
  return values.find((value) => value !== undefined)
}

const NAMED: Readonly<Record<string, RegExp>> = Object.fromEntries(
  ['file', 'path', 'code', 'lang'].map((name) => [name, new RegExp(`\\b${name}=(?:"([^"]*)"|([^\\s"]+))`)]),
)

function fenced(text: string, language: string): string {
  const fence = backticksFor(text, 3)
  return `${fence}${language}\n${text.replace(/\n?$/, '\n')}${fence}`
}
