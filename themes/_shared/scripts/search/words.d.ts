/** Text as it is compared: without case, accents and width. */
export function folded(text: string): string
/** The words that find a text, in its order and as often as they stand there. */
export function wordsIn(text: string): string[]
/** The words a query asks for; `start` when the start of a word finds it too. */
export function wordsAsked(query: string): { word: string; start: boolean }[]
/** The anchor most headings have. */
export function usualAnchor(heading: string): string
