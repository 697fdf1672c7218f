/** Normalizes text for comparison: removes differences of case, accents and width. */
export function folded(text: string): string
/** The words by which a text is indexed, in order, with repetitions. */
export function wordsIn(text: string): string[]
/** The names of programs in a text, such as `site_routes`, as one word each. */
export function namesIn(text: string): string[]
/** The words of a query. `start` if it also finds longer words that start with it. */
export function wordsAsked(query: string): { word: string; start: boolean }[]
/** The anchor that most headings have. The index omits it. */
export function usualAnchor(heading: string): string
