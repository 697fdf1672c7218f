// Loaded before the service (`node --import`): registers OpenTelemetry's SDK and writes each span as a line of JSON to
// the file that SPANS_FILE names.
import { appendFileSync } from 'node:fs'
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'

const exporter = {
  export(spans, done) {
    for (const span of spans) {
      const { name, attributes, status, parentSpanContext } = span
      const { traceId, spanId } = span.spanContext()
      const line = {
        name,
        attributes,
        status: status.code,
        traceId,
        spanId,
        parent: parentSpanContext?.spanId,
      }
      appendFileSync(process.env.SPANS_FILE, `${JSON.stringify(line)}\n`)
    }
    done({ code: 0 })
  },
  shutdown: async () => {},
}
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()
