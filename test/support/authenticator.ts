import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** User present and verified. */
const VERIFIED = 0x05
/** The data has a new credential. */
const ATTESTED = 0x40

export interface Authenticator {
  /** Answers the options of `navigator.credentials.create` with a passkey, as JSON of the browser. */
  create(options: string, origin: string): string
  /** Answers the options of `navigator.credentials.get`, as JSON of the browser. */
  get(options: string, origin: string): string
}

/** An authenticator with one key of the curve P-256, which says yes to everything. */
export function createAuthenticator(): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let counter = 0

  return {
    create(options, origin) {
      const { challenge, rp } = JSON.parse(options)
      const credential = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseKey(publicKey),
      ])
      const data = Buffer.concat([authenticatorData(rp.id, VERIFIED | ATTESTED, ++counter), credential])
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3, 0x63, ...Buffer.from('fmt'), 0x64, ...Buffer.from('none')]),
        Buffer.from([0x67, ...Buffer.from('attStmt'), 0xa0]),
        Buffer.from([0x68, ...Buffer.from('authData'), 0x58, data.length]),
        data,
      ])
      return answer({
        attestationObject,
        clientDataJSON: clientData('webauthn.create', challenge, origin),
      })
    },

    get(options, origin) {
      const { challenge, rpId } = JSON.parse(options)
      const data = authenticatorData(rpId, VERIFIED, ++counter)
      const clientDataJSON = clientData('webauthn.get', challenge, origin)
      return answer({
        authenticatorData: data,
        clientDataJSON,
        signature: signature(privateKey, Buffer.concat([data, sha256(clientDataJSON)])),
      })
    },
  }

  function answer(response: Readonly<Record<string, Uint8Array>>): string {
    const encoded = Object.entries(response).map(([name, bytes]) => [name, base64url(bytes)])
    return JSON.stringify({
      id: base64url(id),
      rawId: base64url(id),
      type: 'public-key',
      clientExtensionResults: {},
      response: Object.fromEntries(encoded),
    })
  }
}

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const rest = Buffer.alloc(5)
  rest.writeUInt8(flags)
  rest.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(Buffer.from(rpId)), rest])
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

/** The key in CBOR: EC2, ES256, P-256, and both coordinates. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    Buffer.from(x, 'base64url'),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y, 'base64url'),
  ])
}

function signature(key: KeyObject, bytes: Buffer): Buffer {
  return sign('sha256', bytes, key)
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
