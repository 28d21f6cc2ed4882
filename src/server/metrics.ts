import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  /** Counts the requests of an application by route and status. */
  countRequests(http: FastifyInstance): void
  /** Adds gauges by name, measured when they are scraped; null values are omitted. */
  measure(help: Record<string, string>, read: () => Promise<Record<string, number | null>>): void
  /** Serves the metrics at `/metrics`, in the text format of Prometheus. */
  listen(place: { host: string; port: number }): Promise<() => Promise<void>>
}

const prefix = 'ntalo_'

/** Creates the metrics for monitoring programs; labels are routes, not addresses, hence no personal data. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix })
  const requests = new Counter({
    name: `${prefix}requests_total`,
    help: 'Requests answered, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: `${prefix}request_seconds`,
    help: 'Time to answer, by route',
    labelNames: ['route'],
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  return {
    countRequests(http) {
      http.addHook('onResponse', async (request, reply) => {
        const route = request.routeOptions.url ?? 'none'
        requests.inc({ method: request.method, route, status: reply.statusCode })
        seconds.observe({ route }, reply.elapsedTime / 1000)
      })
    },
    measure(help, read) {
      let reading: ReturnType<typeof read> | null = null
      // All gauges of one scrape share one reading.
      const measured = () => {
        reading ??= read().finally(() => {
          reading = null
        })
        return reading
      }
      for (const [name, text] of Object.entries(help)) {
        new Gauge({
          name: prefix + name,
          help: text,
          registers: [registry],
          async collect() {
            const value = (await measured())[name] ?? null
            if (value === null) this.reset()
            else this.set(value)
          },
        })
      }
    },
    async listen({ host, port }) {
      const server = createServer(async (request, response) => {
        if (request.method !== 'GET' || request.url !== '/metrics') {
          response.writeHead(404).end()
          return
        }
        const text = await registry.metrics().catch(() => null)
        if (text === null) response.writeHead(503).end()
        else response.writeHead(200, { 'content-type': registry.contentType }).end(text)
      })
      server.requestTimeout = 10_000
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port }, resolve)
      })
      return () =>
        new Promise((resolve) => {
          server.closeAllConnections()
          server.close(() => resolve())
        })
    },
  }
}
