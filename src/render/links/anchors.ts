/** Distinct ids of a finished document, which are possible link targets. */
export function anchorsIn(html: string): readonly string[] {
  return [...new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id))]
}
