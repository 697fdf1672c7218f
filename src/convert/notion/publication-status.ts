/** A property that says whether a page is published. */
export interface StatusProperty {
  readonly name: string
  /** A page of the database has a value of published pages: pages with any other value are not. */
  readonly hasLive: boolean
}

const STATUS = /^(?:status|state|stage|published|publish|public|veröffentlicht)$/i
const STATE = /^(?:status|state|stage)$/i
const LIVE = new Set(['published', 'live', 'public', 'posted', 'released', 'veröffentlicht'])
const DRAFT = new Set(['draft', 'drafts', 'unpublished', 'not published', 'private', 'hidden', 'entwurf'])
/** The values of a checkbox. */
const CHECKED = 'yes'
const UNCHECKED = 'no'

/** @param valuesOf the values of a property on all pages. */
export function statusProperty(
  names: readonly string[],
  valuesOf: (name: string) => readonly string[],
): StatusProperty | null {
  for (const name of names) {
    if (!STATUS.test(name)) continue
    const values = valuesOf(name).map((value) => value.toLowerCase())
    const isBox = !STATE.test(name) && values.every((value) => /^(?:yes|no|)$/.test(value))
    const hasLive = values.some((value) => LIVE.has(value) || (isBox && value === CHECKED))
    if (hasLive || values.some((value) => DRAFT.has(value) || (isBox && value === UNCHECKED)))
      return { name, hasLive }
  }
  return null
}

/** Reports whether a value is about publication and says nothing more, such as `In review` does. */
export function saysWhetherPublished(value: string): boolean {
  const state = value.toLowerCase()
  return LIVE.has(state) || DRAFT.has(state) || state === CHECKED || state === UNCHECKED
}

export function isLive({ name, hasLive }: StatusProperty, value: string): boolean {
  const state = value.toLowerCase()
  if (LIVE.has(state)) return true
  const isBox = !STATE.test(name)
  return hasLive ? isBox && state === CHECKED : !DRAFT.has(state) && !(isBox && state === UNCHECKED)
}
