/** Permission to replace changes of others on the server: everywhere, nowhere, or for these files. */
export type Overwrite = boolean | ReadonlySet<string>

/** @param file relative to the folder. */
export function mayOverwrite(overwrite: Overwrite, file: string): boolean {
  return typeof overwrite === 'boolean' ? overwrite : overwrite.has(file)
}
