/** The ids of a finished document, each once: the places in it that links can lead to. */
export function anchorsIn(html: string): readonly string[] {
  return [...new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id))]
}
