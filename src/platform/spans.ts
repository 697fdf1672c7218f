import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

/* Spans of OpenTelemetry. They do nothing until a program that is loaded before Quoin registers an SDK. */

const tracer = trace.getTracer('quoin')

/** Runs work in a span, within that of its caller. A rejection is recorded and passes through. */
export function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return runIn(name, { attributes }, context.active(), work)
}

/**
 * Runs the answer to a request in a span, within the one that the caller names.
 *
 * @param headers of the request; `traceparent` and the like name the caller's span (W3C Trace Context).
 */
export function inRequestSpan<Result>(
  name: string,
  headers: object,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const caller = propagation.extract(ROOT_CONTEXT, headers)
  return runIn(name, { kind: SpanKind.SERVER }, caller, work)
}

function runIn<Result>(
  name: string,
  options: { readonly kind?: SpanKind; readonly attributes?: Attributes },
  within: Context,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracer.startActiveSpan(name, options, within, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      if (error instanceof Error) span.recordException(error)
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}
