/** What is written also over what somebody else has written: everything, nothing, or what these files say. */
export type Overwrite = boolean | ReadonlySet<string>

/** @param file relative to the folder. */
export function mayOverwrite(overwrite: Overwrite, file: string): boolean {
  return typeof overwrite === 'boolean' ? overwrite : overwrite.has(file)
}
