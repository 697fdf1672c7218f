import type { SiteFault } from '../site/site.ts'

/** `docs/a.md:3: nav_order must be a whole number.` */
export function faultLine({ file, line, field, message }: SiteFault): string {
  const place = line === null ? file : `${file}:${line}`
  return `${place}: ${field === null ? message : `${field} ${message}`}`
}
