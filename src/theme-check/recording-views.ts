import type { LineOf, TemplateWatch } from '../theme/compile-templates.ts'
import type { Theme } from '../theme/theme.ts'
import type { WrittenAt } from './instrumented.ts'

export interface ViewFaults {
  /** A name was read that the view does not give. */
  unknown(name: string, at: WrittenAt): void
  /** A text of the view was written as if it were HTML. */
  unescaped(name: string, at: WrittenAt): void
}

/** A theme and its templates, watched while they render. */
export interface WatchedViews {
  readonly watch: TemplateWatch
  /** The same theme; texts of the views it is given are recognised where they are written. */
  marking(theme: Theme): Theme
}

/** Characters that nobody writes around the number of a text. */
const TEXT_MARK = /\u{e000}(\d+)\u{e001}<i>/gu

/** HTML that is safe, code that is the theme's own, and words that templates choose by. */
const UNMARKED = new Set(
  'filesHref html script css policy brandStyle structuredData type id lang dir variant layout background align kind imagePosition method ogType iso autocomplete'.split(
    ' ',
  ),
)

/** Not of a view, but asked of any object, by Eta or by JavaScript itself. */
const ASKED_OF_ALL = new Set(['__blocks', 'toJSON', 'then', 'constructor'])

/** @param handed names that templates hand to others, which need not get each of them every time. */
export function watchViews(
  places: readonly WrittenAt[],
  handed: ReadonlySet<string>,
  faults: ViewFaults,
): WatchedViews {
  /** Where in the view each marked text stands. */
  const texts: string[] = []
  const guards = new WeakMap<object, object>()

  return {
    watch: {
      data: (data, lineOf) => guarded(data, 'it', lineOf),
      options: { raw },
    },
    marking: (theme) => ({
      ...theme,
      section: (view) => theme.section(marked(view, 'it')),
      page: (view) => theme.page(marked(view, 'it')),
      notFound: (view) => theme.notFound(marked(view, 'it')),
      navPage: (view) => theme.navPage(marked(view, 'it')),
      listing: (view) => theme.listing(marked(view, 'it')),
    }),
  }

  /** Once told of, a text is no more marked: whatever it is put into is written raw too. */
  function raw(value: unknown, number: number): unknown {
    const place = places[number]
    if (typeof value !== 'string' || place === undefined) return value
    return value.replace(TEXT_MARK, (_, text) => {
      faults.unescaped(texts[Number(text)] ?? '', place)
      return ''
    })
  }

  function marked<Value>(value: Value, path: string): Value {
    if (typeof value === 'string') return withMark(value, path) as Value
    if (Array.isArray(value)) return value.map((item, at) => marked(item, `${path}[${at}]`)) as Value
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, inner]) => {
      const isKept = UNMARKED.has(name) || name.endsWith('Html')
      return [name, isKept ? inner : marked(inner, `${path}.${name}`)]
    })
    return Object.fromEntries(entries) as Value
  }

  /** An empty text stays empty: templates may look. */
  function withMark(text: string, path: string): string {
    return text === '' ? text : `${text}\u{e000}${texts.push(path) - 1}\u{e001}<i>`
  }

  /** Says undefined of a name that is not there, as before, and tells. */
  function guarded(target: object, path: string, lineOf: LineOf): object {
    const known = guards.get(target)
    if (known !== undefined) return known
    const names = Array.isArray(target) ? [...target] : { ...target }
    const guard = new Proxy(names, {
      get(object, name, self) {
        const value: unknown = Reflect.get(object, name, self)
        if (typeof name === 'symbol') return value
        if (typeof value === 'object' && value !== null) return guarded(value, pathOf(path, name), lineOf)
        if (value !== undefined || name in object || ASKED_OF_ALL.has(name)) return value
        // Beyond the end of a list is nothing, which is no fault.
        const isNone = !Array.isArray(object) && !(path === 'it' && handed.has(name))
        const at = isNone ? lineOf(new Error('Where?')) : null
        if (at !== null) faults.unknown(pathOf(path, name), at)
        return value
      },
    })
    guards.set(target, guard)
    guards.set(guard, guard)
    return guard
  }
}

function pathOf(path: string, name: string): string {
  return /^\d+$/.test(name) ? `${path}[${name}]` : `${path}.${name}`
}
