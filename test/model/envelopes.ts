/** The envelope of the legacy surface. */
export function enveloped(data: unknown): object {
  return { success: true, data }
}

/** Accepts both forms of an id. */
export function bareId(id: string): string {
  return id.replace(/^[a-z]+_/, '')
}
