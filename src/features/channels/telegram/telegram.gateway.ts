import { createHmac } from 'node:crypto'
import type { Courier } from '#features/channels/couriers.rules.ts'
import { readTelegramAnswer, readUpdate } from '#features/channels/telegram/telegram.rules.ts'
import { tryRequestJson } from '#server/http-client.ts'
import type { Log } from '#server/log.ts'
import { isSameSecret } from '#server/session/tokens.ts'
import { parseJson } from '#shared/parse-json.ts'

const timeoutMs = 10_000

/** Creates the courier of a Telegram bot (core.telegram.org/bots/api). */
export function createTelegram(options: {
  /** Base addresses of the API and of links to chats. */
  url: string
  linkUrl: string
  bot: string
  token: string
  log: Log
  timeoutMs?: number | undefined
}): Courier {
  const { url, linkUrl, bot, token, log } = options
  const post = async (method: string, body: object) => {
    const given = { method: 'POST' as const, body, timeoutMs: options.timeoutMs ?? timeoutMs }
    const answer = await tryRequestJson(`${url}/bot${token}/${method}`, given)
    // An error may quote the address, which contains the token.
    return 'reason' in answer ? { ...answer, reason: answer.reason.replaceAll(token, '…') } : answer
  }
  // Derived from the token: secret, the same in every process, and without configuration.
  const secret = createHmac('sha256', token).update('webhook').digest('hex')
  const path = '/webhooks/telegram'
  return {
    name: 'telegram',
    channel: 'telegram',
    async send({ address, text }) {
      const body = { chat_id: Number(address), text, link_preview_options: { is_disabled: true } }
      return readTelegramAnswer(await post('sendMessage', body))
    },
    linkFor: (start) => `${linkUrl}/${bot}?${new URLSearchParams({ start })}`,
    news: {
      path,
      read: ({ headers, body }) =>
        isSameSecret(String(headers['x-telegram-bot-api-secret-token'] ?? ''), secret)
          ? readUpdate(parseJson(new TextDecoder().decode(body)))
          : null,
    },
    async listenAt(ownUrl) {
      const answer = await post('setWebhook', {
        url: ownUrl + path,
        secret_token: secret,
        allowed_updates: ['message', 'my_chat_member'],
      })
      const status = 'status' in answer ? answer.status : answer.reason
      if (status !== 200) log.warn({ status }, 'Telegram did not take our address')
    },
  }
}
