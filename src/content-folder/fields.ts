import { z } from 'zod'
import { slug as slugText, subroute as subrouteText } from '../fields/values.ts'

/* YAML reads names such as `2026` as numbers. */

const written = z.union([z.string(), z.number()], 'must be a string.').transform(String)

export const slug = written.pipe(slugText)

export const subroute = written.pipe(subrouteText)
