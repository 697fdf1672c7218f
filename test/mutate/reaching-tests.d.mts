/**
 * Returns a function from a source file to the test files that reach it, those that are likely to notice a change first.
 *
 * @param files the source and test files, relative to the root as all paths are.
 */
export function reachingTests(root: string, files: readonly string[]): (source: string) => readonly string[]
