/** What is written also over what somebody else has written: everything, nothing, or what these files say. */
export type Force = boolean | ReadonlySet<string>

/** @param file relative to the folder. */
export function isForced(force: Force, file: string): boolean {
  return typeof force === 'boolean' ? force : force.has(file)
}
