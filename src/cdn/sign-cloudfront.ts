import type { Message } from '../webhooks/send.ts'

/** CloudFront has one API for all regions, which is signed for this one. */
const REGION = 'us-east-1'

/**
 * Signs requests to CloudFront's API with AWS Signature Version 4. Credentials come from the SDK's own chain. Loads the
 * SDK with the first request, because few installations need it.
 */
export function createCloudfrontSigner(): (message: Message) => Promise<Message> {
  let signer: ReturnType<typeof loadSigner> | null = null
  return async (message) => {
    signer ??= loadSigner()
    const { url, body } = message
    const { headers } = await (await signer).sign({
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      headers: { ...message.headers, host: url.host },
      body,
    })
    return { ...message, headers }
  }
}

async function loadSigner() {
  // Otherwise the SDK prints a warning about Node 20, which Quoin supports.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
  const [{ SignatureV4 }, { S3Client }] = await Promise.all([
    import('@smithy/signature-v4'),
    import('@aws-sdk/client-s3'),
  ])
  // The client that buckets use has the chain of credentials and the hash already.
  const { credentials, sha256 } = new S3Client({ region: REGION }).config
  return new SignatureV4({ service: 'cloudfront', region: REGION, credentials, sha256 })
}
