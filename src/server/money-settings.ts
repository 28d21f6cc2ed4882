export type MoneySettings = {
  /** Providers of mobile money; each is null when it is not configured. */
  pawapay: { url: string; token: string } | null
  /** `cardUrl`: where a page for cards is asked for; null where none is. */
  flexpay: { url: string; merchant: string; token: string; cardUrl: string | null } | null
  /** Which of them is asked first, where both are. */
  askedFirst: 'pawapay' | 'flexpay'
}

type Values = {
  [name in
    | 'PAWAPAY_URL'
    | 'PAWAPAY_TOKEN'
    | 'FLEXPAY_URL'
    | 'FLEXPAY_MERCHANT'
    | 'FLEXPAY_TOKEN'
    | 'FLEXPAY_CARD_URL']?: string | undefined
}

/** @throws when settings that go together do not come together, naming them */
export function readMoneySettings(values: Values): Omit<MoneySettings, 'askedFirst'> {
  const { PAWAPAY_URL, PAWAPAY_TOKEN, FLEXPAY_URL, FLEXPAY_MERCHANT, FLEXPAY_TOKEN, FLEXPAY_CARD_URL } =
    values
  if (!PAWAPAY_URL !== !PAWAPAY_TOKEN) {
    throw new Error('Configuration incomplète : PAWAPAY_URL et PAWAPAY_TOKEN vont ensemble.')
  }
  const flexpayParts = [FLEXPAY_URL, FLEXPAY_MERCHANT, FLEXPAY_TOKEN].filter(Boolean).length
  if (flexpayParts > 0 && flexpayParts < 3) {
    throw new Error(
      'Configuration incomplète : FLEXPAY_URL, FLEXPAY_MERCHANT et FLEXPAY_TOKEN vont ensemble.',
    )
  }
  if (FLEXPAY_CARD_URL && flexpayParts === 0) {
    throw new Error(
      'Configuration incomplète : FLEXPAY_CARD_URL demande aussi FLEXPAY_URL, FLEXPAY_MERCHANT et FLEXPAY_TOKEN.',
    )
  }
  const base = (url: string) => url.replace(/\/+$/, '')
  return {
    pawapay: PAWAPAY_URL && PAWAPAY_TOKEN ? { url: base(PAWAPAY_URL), token: PAWAPAY_TOKEN } : null,
    flexpay:
      FLEXPAY_URL && FLEXPAY_MERCHANT && FLEXPAY_TOKEN
        ? {
            ...{ url: base(FLEXPAY_URL), merchant: FLEXPAY_MERCHANT, token: FLEXPAY_TOKEN },
            cardUrl: FLEXPAY_CARD_URL ?? null,
          }
        : null,
  }
}
