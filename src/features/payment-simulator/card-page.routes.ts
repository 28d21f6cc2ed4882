import { z } from 'zod'
import { cardPagePath } from '#features/payment-simulator/card.routes.ts'
import type { FormPage, PageAnswer } from '#server/http/pages.ts'
import { requestJson } from '#server/http-client.ts'

const timeoutMs = 10_000
const order = z.object({
  amount: z.string(),
  currency: z.string(),
  description: z.string(),
  isPaid: z.boolean(),
})

/**
 * Returns the simulated card page, served by our own server so that it works under any name of the site.
 * @param simulator base address of the simulator
 */
export function simulatedCardPage(simulator: string, framed: () => Promise<object>): FormPage {
  const notFound = async (): Promise<PageAnswer> => ({
    view: 'not-found',
    status: 404,
    props: { ...(await framed()), previousUrl: null },
  })
  const numberOf = (params: unknown) => encodeURIComponent(String(Object(params).orderNumber ?? ''))
  return {
    path: `${cardPagePath}/:orderNumber`,
    async show({ request }) {
      const answer = await requestJson(`${simulator}/orders/${numberOf(request.params)}`, {
        method: 'GET',
        timeoutMs,
      })
      const found = answer.status === 200 ? order.safeParse(answer.body).data : undefined
      return found ? { view: 'card-simulator', props: { ...(await framed()), ...found } } : notFound()
    },
    async take({ act, card = '' }, { request }) {
      const answer = await requestJson(`${simulator}/orders/${numberOf(request.params)}`, {
        method: 'POST',
        body: { act, card },
        timeoutMs,
      })
      const goTo = z.object({ goTo: z.url() }).safeParse(answer.body).data?.goTo
      // Same name as the request, where the visitor is signed in.
      return answer.status === 200 && goTo ? { goTo: new URL(goTo).pathname } : notFound()
    },
  }
}
