import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'

/**
 * Reports the omitted values of a program. Empty when there are none.
 *
 * @param skipped names of the values that are not literals.
 * @param subject begins the message.
 */
export function programDiagnostics(
  path: string,
  skipped: readonly string[],
  subject = 'The file is',
): readonly Diagnostic[] {
  if (skipped.length === 0) return []
  const message = `${subject} a program, which is read but not run. Left out: ${skipped.join(', ')}.`
  return [diagnostic('QN-PARTLY-CONVERTED', path, message)]
}
