import { plans } from '#features/plans/plans.contract.ts'
import { formatMoney } from '#web/format.ts'
import { choicesOf } from '#web/forms/choices.ts'

export const planChoices = choicesOf(
  plans,
  ({ id, name, price, currency }) => ({ value: id, label: `${name} (${formatMoney(price, currency)})` }),
  'Plan inconnu',
)
