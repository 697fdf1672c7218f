import { createFormats } from '../formats.ts'

export const formats = createFormats('en', { justNow: 'just now', inAMoment: 'in a moment', bytes: 'bytes' })

export const { number, count } = formats
