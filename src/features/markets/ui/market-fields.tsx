import { useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { marketLocations, type markets } from '#features/markets/markets.contract.ts'
import { provinces, timeZoneOfProvince, timeZones } from '#features/markets/markets.rules.ts'
import { zoneName, zoneOffset } from '#features/markets/ui/places.ts'
import { fromDigits } from '#shared/fields.ts'
import type { Fields } from '#web/crud/screens.ts'
import { SuggestField } from '#web/forms/suggestions.tsx'
import { TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

type MarketFieldsProps = { form: Fields<z.input<typeof markets.input>> }

/** The form of a market. The time zone follows the province until the user chooses one. */
export function MarketFields({ form }: MarketFieldsProps) {
  const { field, control, setValue, formState } = form
  const [province, longitude] = useWatch({ control, name: ['province', 'longitude'] })
  const zoneOfProvince = timeZoneOfProvince(
    province || null,
    typeof longitude === 'number' ? longitude : null,
  )
  const degrees = { setValueAs: (typed: unknown) => (typed === '' ? null : fromDigits(typed)) }
  return (
    <>
      <TextField required maxLength={200} {...field('name')} />
      <SuggestField
        hint="La ville, la commune ou le territoire"
        required
        maxLength={200}
        suggestions={marketLocations}
        {...field('location')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          placeholder="Non précisée"
          options={provinceOptions(formState.defaultValues?.province)}
          {...field('province', {
            onChange: () => setValue('timeZone', null, { shouldDirty: true }),
          })}
        />
        <SelectField
          placeholder={`Selon la province (${zoneOffset(zoneOfProvince)})`}
          options={timeZones.map((zone) => ({ value: zone, label: zoneName(zone) }))}
          {...field('timeZone', { setValueAs: (zone) => zone || null })}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        {/* Not number fields, which on a phone in English drop the comma of « -4,325 » and read -4325. */}
        <TextField
          hint="Degrés décimaux, négatifs au sud&nbsp;: -4,325"
          autoComplete="off"
          {...field('latitude', degrees)}
        />
        <TextField
          hint="Degrés décimaux, à l’est&nbsp;: 15,322"
          autoComplete="off"
          {...field('longitude', degrees)}
        />
      </div>
    </>
  )
}

/** Returns the 26 provinces, and the market's own when it is another: a former or a foreign one. */
function provinceOptions(current: string | null | undefined) {
  const names = provinces.map(({ name }) => name)
  const all = !current || names.includes(current) ? names : [current, ...names]
  return all.map((name) => ({ value: name, label: name }))
}
