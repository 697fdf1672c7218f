import { normalForm } from '../../domain/normal-form.ts'

/** A text as Hexo writes it in addresses and in ids of headings. */
export function slugized(text: string): string {
  return normalForm(text, 'NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'<>,.?/]+/g, '-')
    .replace(/^-+|-+$/g, '')
}
