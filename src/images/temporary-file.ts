/** The file that becomes `into` when it is complete. */
export function temporaryFile(into: string): string {
  return `${into}.tmp`
}
