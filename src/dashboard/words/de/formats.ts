import { createFormats } from '../formats.ts'

export const formats = createFormats('de', { justNow: 'gerade eben', inAMoment: 'gleich', bytes: 'Bytes' })

export const { number, count } = formats
