import type { Schedule } from '#features/reports/reports.contract.ts'
import { weekDays } from '#features/reports/reports.rules.ts'
import { Checkbox } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

const frequencies = [
  { value: 'weekly', label: 'chaque semaine' },
  { value: 'monthly', label: 'chaque mois' },
] as const
const hours = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: `${hour}\u00a0h` }))
const days = {
  weekly: weekDays.map((name, at) => ({ value: at + 1, label: name })),
  monthly: Array.from({ length: 28 }, (_, at) => ({
    value: at + 1,
    label: at === 0 ? 'le 1er' : `le ${at + 1}`,
  })),
}

type SendingFieldsProps = { schedule: Schedule | null; onChange: (schedule: Schedule | null) => void }

/** The schedule of a report: a sentence with choices in it. */
export function SendingFields({ schedule, onChange }: SendingFieldsProps) {
  return (
    <fieldset className="space-y-3">
      <legend className="mb-1 font-medium">Envoi, à l’heure de Kinshasa</legend>
      <div className="flex flex-wrap gap-3">
        <SelectField
          label="Fréquence"
          hideLabel
          className="min-w-44 flex-1"
          placeholder="à la demande seulement"
          options={frequencies}
          value={schedule?.frequency ?? ''}
          onChange={({ target }) => {
            const frequency = frequencies.find(({ value }) => value === target.value)?.value
            onChange(frequency ? { hour: 7, skipsUnchanged: true, ...schedule, frequency, day: 1 } : null)
          }}
        />
        {schedule && (
          <>
            <SelectField
              label="Jour"
              hideLabel
              className="min-w-28 flex-1"
              options={days[schedule.frequency]}
              value={schedule.day}
              onChange={({ target }) => onChange({ ...schedule, day: Number(target.value) })}
            />
            <SelectField
              label="Heure"
              hideLabel
              className="w-24"
              options={hours}
              value={schedule.hour}
              onChange={({ target }) => onChange({ ...schedule, hour: Number(target.value) })}
            />
          </>
        )}
      </div>
      {schedule && (
        <Checkbox
          label="Ne rien envoyer s’il n’y a aucun relevé nouveau"
          checked={schedule.skipsUnchanged}
          onChange={({ target }) => onChange({ ...schedule, skipsUnchanged: target.checked })}
        />
      )}
    </fieldset>
  )
}
