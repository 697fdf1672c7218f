/** What the legacy surface wraps its data in. */
export function enveloped(data: unknown): object {
  return { success: true, data }
}

/** Of either form of an id. */
export function bareId(id: string): string {
  return id.replace(/^[a-z]+_/, '')
}
