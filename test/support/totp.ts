import { totpCode } from '../../src/secrets/totp.ts'

/** The code that an app with this key, in base32, shows at a time. */
export function codeOf(secret: string, time: number): string {
  const bits = [...secret.replaceAll(' ', '')].map((one) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'),
  )
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  return totpCode(Buffer.from(bytes), Math.floor(time / 30_000))
}
