/** The ids of a finished document, each once: the places in it that links can lead to. */
export function anchorsIn(document: Uint8Array): readonly string[] {
  const html = Buffer.from(document).toString()
  return [...new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id))]
}
