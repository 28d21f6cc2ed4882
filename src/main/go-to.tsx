import { useNavigate } from '@tanstack/react-router'
import { marketChoices } from '#features/markets/ui/choices.ts'
import { productChoices } from '#features/products/ui/choices.ts'
import type { publicSearch } from '#features/public-prices/public-prices.contract.ts'
import { useMenu } from '#main/menu.tsx'
import { type Address, call } from '#web/api.ts'
import { formatDate, formatMoney } from '#web/format.ts'
import { useMay } from '#web/session.ts'
import { useShortcutsOn } from '#web/shortcuts.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { matchesText } from '#web/ui/match-text.ts'
import { ShortcutKeys } from '#web/ui/shortcut-keys.tsx'
import type { Option } from '#web/ui/use-options.ts'

const mostOfEach = 8

/**
 * « Aller à… »: finds a screen of the menu, a product or a market by part of its name, and the price of a product in a
 * market.
 */
export function GoTo({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const may = useMay()
  const screens = useMenu().flatMap(({ items }) =>
    items.map(({ label, to }): Option => ({ value: to, label, hint: 'Écran' })),
  )

  const search = async (typed: string, signal: AbortSignal): Promise<Option[]> => {
    const found = screens.filter(({ label }) => matchesText(label, typed))
    if (!typed) return found
    const of = async (
      right: 'catalogue.read' | 'markets.read',
      choices: Choices,
      path: string,
      hint: string,
    ) => {
      if (!may(right)) return []
      const options = await choices.search(typed, signal)
      return options
        .slice(0, mostOfEach)
        .map(({ value, label }) => ({ value: `${path}/${value}`, label, hint }))
    }
    const rows = await Promise.allSettled([
      may('statistics.read') ? searchSeries(typed, signal) : [],
      of('catalogue.read', productChoices, '/products/detail', 'Produit'),
      of('markets.read', marketChoices, '/markets', 'Marché'),
    ])
    // Screens can be found even when the network searches fail.
    return [...found, ...rows.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))]
  }
  return (
    <Dialog open size="sm" title="Aller à…" footer={false} onClose={onClose}>
      <Combobox
        label="Écran, produit, marché ou prix"
        value={null}
        search={search}
        placeholder={'Quelques lettres\u202f; pour un prix\u00a0: riz goma'}
        onEscape={onClose}
        onChange={(option) => {
          if (!option) return
          onClose()
          void navigate({ to: String(option.value) })
        }}
      />
    </Dialog>
  )
}

/** Searches « riz goma »: returns the last price of each matching series. */
async function searchSeries(typed: string, signal: AbortSignal): Promise<Option[]> {
  const address: Address<typeof publicSearch> = { method: 'GET', path: '/api/public/search' }
  const { data } = await call(address, { query: { q: typed }, signal })
  return data
    .filter(({ marketId, lastPrice }) => marketId !== null && lastPrice !== null)
    .slice(0, mostOfEach)
    .map(({ productId, marketId, name, market, lastPrice, currency, lastDay }) => ({
      value: `/series/${productId}/${marketId}`,
      label: `${name}, ${market}`,
      hint: `${formatMoney(lastPrice, currency ?? 'CDF')}, le ${formatDate(lastDay)}`,
    }))
}

type Choices = Pick<typeof productChoices, 'search'>

/** « ? »: lists the keyboard shortcuts and lets the user turn them off. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const [isOn] = useShortcutsOn()
  return (
    <Dialog
      open
      size="sm"
      title="Raccourcis clavier"
      description={isOn ? 'Ils se désactivent dans les paramètres.' : 'Désactivés dans les paramètres.'}
      footer={false}
      onClose={onClose}
    >
      <ShortcutKeys />
    </Dialog>
  )
}
