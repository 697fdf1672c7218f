import { keptProperty } from './spill-file.ts'

/** Of a page that is still to be rendered. */
export const MARKDOWN = keptProperty('markdown', (text) => text)
