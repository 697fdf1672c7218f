import type { ComponentSchema } from '../domain/component.ts'
import type { LineOf, TemplateWatch } from '../theme/compile-templates.ts'
import type { Theme } from '../theme/theme.ts'
import type { ComponentView } from '../theme/view.ts'
import type { TemplatePosition } from './instrument-templates.ts'

export interface ViewReporter {
  /** A template read a name that the view does not have. */
  unknown(name: string, at: TemplatePosition): void
  /** A template printed a text of the view without escaping it. */
  unescaped(name: string, at: TemplatePosition): void
}

/** Records how templates use the views they are given. */
export interface RecordedViews {
  readonly watch: TemplateWatch
  /** The same theme, with marks in the texts of its views, which `watch` recognises in the output. */
  marking(theme: Theme): Theme
}

/** Private-use characters around the number of a text. */
const TEXT_MARK = /\u{e000}(\d+)\u{e001}<i>/gu

/** Names of safe HTML, the theme's own code, values of authors, or values that templates compare. */
const UNMARKED = new Set(
  'filesHref html script css policy brandStyle structuredData prefetchRules type id lang dir variant layout background align kind imagePosition method ogType iso autocomplete config data'.split(
    ' ',
  ),
)

/** Values that authors name themselves. */
const AUTHORED = /^(?:it\.(?:page\.config|data)|own props)\b/

/** Names that Eta or JavaScript itself reads from any object. */
const READ_FROM_ANY = new Set(['__blocks', 'toJSON', 'then', 'constructor'])

/**
 * @param passedNames names that templates pass to partials and layouts. They may be missing.
 * @param ownTypes types of sections that only the theme has. Authors name their props.
 */
export function recordViews(
  places: readonly TemplatePosition[],
  passedNames: ReadonlySet<string>,
  ownTypes: ReadonlySet<string>,
  report: ViewReporter,
): RecordedViews {
  /** Paths of the marked texts in the view, by number. */
  const texts: string[] = []
  const guards = new WeakMap<object, object>()

  return {
    watch: {
      data: (data, lineOf) => guarded(data, 'it', lineOf),
      options: { raw },
    },
    marking: (theme) => ({
      ...theme,
      section: (view) =>
        theme.section(
          ownTypes.has(view.type) ? { ...marked(view, 'it'), props: view.props } : marked(view, 'it'),
        ),
      component: (view) =>
        withoutMarks(
          theme.component({
            ...marked(view, 'it'),
            name: view.name,
            attributes: markedAttributes(view, theme.components.get(view.name)),
          }),
        ),
      page: (view) => theme.page(marked(view, 'it')),
      notFound: (view) => theme.notFound(marked(view, 'it')),
      navPage: (view) => theme.navPage(marked(view, 'it')),
      listing: (view) => theme.listing(marked(view, 'it')),
      tags: (view) => theme.tags(marked(view, 'it')),
    }),
  }

  /** Removes the mark of a reported text: the text around it is printed raw too and would be reported again. */
  function raw(value: unknown, number: number): unknown {
    const place = places[number]
    if (typeof value !== 'string' || place === undefined) return value
    return value.replace(TEXT_MARK, (_, text) => {
      report.unescaped(texts[Number(text)] ?? '', place)
      return ''
    })
  }

  /** Templates compare the values that are no free text. */
  function markedAttributes(
    { attributes }: ComponentView,
    schema: ComponentSchema | undefined,
  ): ComponentView['attributes'] {
    const entries = Object.entries(attributes).map(([name, value]) => {
      const described = schema?.attributes[name]
      const isText = described?.type === 'text' && described.enum === null
      return [name, isText ? marked(value, `it.attributes.${name}`) : value] as const
    })
    return Object.fromEntries(entries)
  }

  function marked<Value>(value: Value, path: string): Value {
    if (typeof value === 'string') return withMark(value, path) as Value
    if (Array.isArray(value)) return value.map((item, at) => marked(item, `${path}[${at}]`)) as Value
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, inner]) => {
      const isUnmarked = UNMARKED.has(name) || name.endsWith('Html')
      return [name, isUnmarked ? inner : marked(inner, `${path}.${name}`)]
    })
    return Object.fromEntries(entries) as Value
  }

  /** An empty text stays empty: templates test for it. */
  function withMark(text: string, path: string): string {
    return text === '' ? text : `${text}\u{e000}${texts.push(path) - 1}\u{e001}<i>`
  }

  function pathIn(object: object, path: string, name: string): string {
    const isOwn = path === 'it' && name === 'props' && ownTypes.has(String(Reflect.get(object, 'type')))
    return isOwn ? 'own props' : pathOf(path, name)
  }

  /** Reports names that are read and do not exist. The value is still undefined. */
  function guarded(target: object, path: string, lineOf: LineOf): object {
    const known = guards.get(target)
    if (known !== undefined) return known
    const names = Array.isArray(target) ? [...target] : { ...target }
    const guard = new Proxy(names, {
      get(object, name, self) {
        const value: unknown = Reflect.get(object, name, self)
        if (typeof name === 'symbol') return value
        if (typeof value === 'object' && value !== null)
          return guarded(value, pathIn(object, path, name), lineOf)
        if (value !== undefined || name in object || READ_FROM_ANY.has(name)) return value
        // Reading past the end of a list is allowed, and authors may leave out values of their own.
        const isUnknown =
          !Array.isArray(object) && !AUTHORED.test(path) && !(path === 'it' && passedNames.has(name))
        const at = isUnknown ? lineOf(new Error('Marks the position of the read.')) : null
        if (at !== null) report.unknown(pathOf(path, name), at)
        return value
      },
    })
    guards.set(target, guard)
    guards.set(guard, guard)
    return guard
  }
}

/** The output of a component is HTML of the page around it, which prints it raw. */
function withoutMarks(html: string): string {
  return html.replace(/\u{e000}\d+\u{e001}(?:<i>|&lt;i&gt;)/gu, '')
}

function pathOf(path: string, name: string): string {
  return /^\d+$/.test(name) ? `${path}[${name}]` : `${path}.${name}`
}
