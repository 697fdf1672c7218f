/** Whether tests run in their long form: every look of every page, a real S3 server. CI does. */
export const LONG_FORM = process.env['QUOIN_LONG'] === '1'
