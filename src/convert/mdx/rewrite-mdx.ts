import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { mapLinks } from '../../page-text/map-links.ts'
import { mapOutsideFences } from '../../page-text/map-prose.ts'
import { quotedTag } from '../body/quoted-tag.ts'
import { valueAt } from '../config/config-values.ts'
import type { BodyContext } from '../conversion.ts'
import { splitSourcePage } from '../page/source-front-matter.ts'
import type { Constants } from '../program/object-literal.ts'
import { constantsOf } from '../program/source-program.ts'
import { dedentElements } from './dedent.ts'
import { withDirectives } from './directives.ts'
import { replaceElements } from './elements.ts'
import { runsOf } from './fences.ts'
import { withoutModules } from './modules.ts'

/** Partials may include others. */
const MAX_INCLUDE_DEPTH = 5

/**
 * Converts MDX to Markdown: statements are removed, known components become containers, links and images, and
 * imported texts are included. Unknown components and computed values are reported; the text inside them stays.
 */
export function rewriteMdx(body: string, context: BodyContext): string {
  return rewriteText(body, context, { path: context.path, depth: 0 })
}

interface Place {
  /** The file that the text is from. */
  readonly path: string
  readonly depth: number
}

function rewriteText(body: string, context: BodyContext, place: Place): string {
  const { body: text, imports, exports } = withoutModules(body)
  const report: BodyContext['report'] = (line, code, message) =>
    // Lines of an included text are not lines of the page.
    context.report(place.depth === 0 ? line : 0, code, message)
  for (const statement of exports)
    if (!isData(statement.text))
      report(statement.line, 'QN-NOT-CONVERTED', `${quotedTag(statement.text)} is left out.`)
  const constants = constantsOf(exports.map((statement) => statement.text).join('\n'))
  const declared = exports.map((statement) => statement.text).join('\n')
  const prepared = dedentElements(withDirectives(text, report))
  return replaceElements(runsOf(prepared), {
    report,
    values: valuesOf(declared, constants, context.fields),
    importedText: (name) => {
      const file = imports.get(name)
      if (file === undefined) return null
      return context.textOf(file.replace(/^!*raw-loader!|\?raw$/g, ''), place.path)
    },
    importedFile: (name) => imports.get(name) ?? null,
    include: (name) => {
      const file = imports.get(name)
      if (file === undefined || !/\.mdx?$/.test(file) || place.depth >= MAX_INCLUDE_DEPTH) return null
      const included = context.textOf(file, place.path)
      if (included === null) return null
      const path = context.pathOf(file, place.path)
      const inner = rewriteText(splitSourcePage(included).body, context, { path, depth: place.depth + 1 })
      return withLinksFrom(inner, path, context).trim()
    },
  })
}

/** Resolves the links of a partial to other Markdown files, which are relative to the partial. */
function withLinksFrom(text: string, from: string, { linkTo, protect }: BodyContext): string {
  return mapOutsideFences(text, (prose) =>
    mapLinks(prose, (link) => {
      const target = /\.mdx?(?:[?#]|$)/.test(link) ? linkTo(link, from) : null
      return target === null ? link : protect(target)
    }),
  )
}

/** Declared constants and the page's own fields, by the names that expressions have for them. */
function valuesOf(text: string, constants: Constants, fields: JsonObject) {
  return {
    text,
    constants,
    lookUp(path: string): JsonValue | undefined {
      const names = path.split('.')
      return /^front[mM]atter$/.test(names[0] ?? '') ? valueAt(fields, names.slice(1)) : undefined
    },
  }
}

/** Reports whether a statement only declares values. They are filled in where they are used. */
function isData(statement: string): boolean {
  return /^export\s+const\s+\w+\s*=\s*(?:['"\d]|true|false|\{|\[)/.test(statement)
}
