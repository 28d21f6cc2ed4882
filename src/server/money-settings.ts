export type MoneySettings = {
  /** Mobile money providers; each is null when not configured. */
  pawapay: { url: string; token: string } | null
  /** `cardUrl`: address that creates a page for cards; null when cards are not configured. */
  flexpay: { url: string; merchant: string; token: string; cardUrl: string | null } | null
  /** Provider that is tried first when both are configured. */
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

/** @throws Error in French that names settings that must be set together and are not */
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
            url: base(FLEXPAY_URL),
            merchant: FLEXPAY_MERCHANT,
            token: FLEXPAY_TOKEN,
            cardUrl: FLEXPAY_CARD_URL ?? null,
          }
        : null,
  }
}
