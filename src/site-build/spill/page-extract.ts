import type { PageSaid } from '../state/built-page.ts'
import { keptProperty } from './spill-file.ts'

/** Of a page that was rendered in a first build. */
export const SAID = keptProperty('said', saidIn)

/**
 * What a page says, as it is kept: JSON, then between tabs its words and their places, which are most of it and of
 * interest to few who ask for it. None of them has tabs or line ends of its own.
 */
export function saidText({ search, anchors, warnings, links }: PageSaid): string {
  const shown = search && { ...search, words: '', places: '' }
  const said: PageSaid = { search: shown, anchors, warnings, links }
  return `${JSON.stringify(said)}\t${search?.words ?? ''}\t${search?.places ?? ''}`
}

export function saidIn(text: string): PageSaid {
  const [json = '', words = '', places = ''] = text.split('\t')
  const said: PageSaid = JSON.parse(json)
  return said.search === null ? said : { ...said, search: { ...said.search, words, places } }
}
