import { headingText } from '../../page-text/first-heading.ts'
import { mapOutsideFences } from '../../page-text/map-prose.ts'
import { githubId } from '../body/heading-ids.ts'

/** A term: the line above its first definition, with an empty line between them or none. */
const TERM = /^(?![-*+>#|:<]|\d+[.)])(\S[^\n]{0,500})(?=\n(?:[ \t]*\n)?:[ \t]+\S)/gm

/** Gives terms of definition lists the ids that Hugo makes of their texts. */
export function withTermIds(body: string): string {
  const known = new Set<string>()
  return mapOutsideFences(body, (text) =>
    text.replace(TERM, (term) => {
      const id = githubId(headingText(term))
      if (id === '' || known.has(id)) return term
      known.add(id)
      return `<a id="${id}"></a>${term}`
    }),
  )
}
