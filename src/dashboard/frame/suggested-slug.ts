import { normalForm } from '../../domain/normal-form.ts'

/** A slug from a title: its letters and digits in ASCII, with hyphens between words; empty when it has none. */
export function suggestedSlug(title: string): string {
  return normalForm(title.replaceAll('ß', 'ss'), 'NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 80)
    .replace(/-$/, '')
}
