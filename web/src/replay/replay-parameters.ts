import { type CatchMode, modeLabels } from "../controls/mode-words.js";
import { element } from "../dom/element.js";
import { Segmented } from "../dom/segmented.js";

/** What a replay is to do otherwise than it was recorded; what is left out stays. Body of `POST /v1/replays`. */
export interface ReplayChanges {
  readonly mode?: CatchMode;
  readonly body?: "rule" | "stand";
  readonly starts?: number;
  readonly tracker?: Readonly<Record<string, number>>;
}

type OrAsItWas<Value> = Value | "as it was";
const asItWas = { value: "as it was", text: "as it was" } as const;

interface Parameter {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly min: number;
  readonly max: number;
  readonly step: number | "any";
}

const starts: Parameter = {
  name: "starts",
  label: "starts of the search",
  hint: "From how many postures the planner looks for a first catch",
  min: 1,
  max: 4096,
  step: 1,
};

/** Those of the tracker that change most; all others are to be had over HTTP and on the command line. */
const trackerParameters: readonly Parameter[] = [
  {
    name: "detectionProbability",
    label: "detection probability",
    hint: "Probability that a ball in full view gives a circle",
    min: 0.01,
    max: 0.999,
    step: "any",
  },
  {
    name: "clutterPerImage",
    label: "false circles an image",
    hint: "How many the tracker expects, on average",
    min: 0.001,
    max: 100,
    step: "any",
  },
  {
    name: "confirmScans",
    label: "sightings to confirm",
    hint: "Images that must have seen a ball before it counts as thrown",
    min: 1,
    max: 20,
    step: 1,
  },
  {
    name: "accelerationNoise",
    label: "acceleration noise",
    hint: "Acceleration noise of a flying ball [m/s²/√Hz]",
    min: 0.001,
    max: 50,
    step: "any",
  },
];

/** Mode, body, planner and tracker of a replay: whatever is not touched is as it was. */
export class ReplayParameters {
  readonly element: HTMLElement;
  #mode: OrAsItWas<CatchMode> = "as it was";
  #body: OrAsItWas<"rule" | "stand"> = "as it was";
  readonly #starts = numberField(starts);
  readonly #tracker = trackerParameters.map((parameter) => ({ parameter, field: numberField(parameter) }));

  constructor() {
    const modes = new Segmented<OrAsItWas<CatchMode>>("Mode of the replay", [asItWas, ...modeLabels], (chosen) => {
      this.#mode = chosen;
      modes.value = chosen;
    });
    modes.value = this.#mode;
    const bodyChoices = [
      asItWas,
      { value: "rule", text: "helps", hint: "Torso and platform help" },
      { value: "stand", text: "stands", hint: "Only the arms move" },
    ] as const;
    const bodies = new Segmented<OrAsItWas<"rule" | "stand">>("Body in the replay", bodyChoices, (chosen) => {
      this.#body = chosen;
      bodies.value = chosen;
    });
    bodies.value = this.#body;
    const rows = [{ parameter: starts, field: this.#starts }, ...this.#tracker].map(({ parameter, field }) =>
      element("label", { class: "parameter", attributes: { title: parameter.hint } }, [parameter.label, field]),
    );
    this.element = element("div", { class: "parameters" }, [
      modes.element,
      element("details", {}, [
        element("summary", { text: "Body, planner and tracker" }),
        element("div", { class: "parameter-list" }, [bodies.element, ...rows]),
      ]),
    ]);
  }

  /** null if a number is none, or out of its range: the field says so. */
  changes(): ReplayChanges | null {
    const fields = [this.#starts, ...this.#tracker.map(({ field }) => field)];
    if (!fields.every((field) => field.reportValidity())) return null;
    const tracker = Object.fromEntries(
      this.#tracker.flatMap(({ parameter, field }) =>
        field.value === "" ? [] : [[parameter.name, field.valueAsNumber] as const],
      ),
    );
    return {
      ...(this.#mode !== "as it was" && { mode: this.#mode }),
      ...(this.#body !== "as it was" && { body: this.#body }),
      ...(this.#starts.value !== "" && { starts: this.#starts.valueAsNumber }),
      ...(Object.keys(tracker).length > 0 && { tracker }),
    };
  }
}

function numberField({ min, max, step }: Parameter): HTMLInputElement {
  return element("input", { attributes: { type: "number", min, max, step, placeholder: "as it was" } });
}

/** In a few words, for the report's title. */
export function changeWords({ mode, body, starts: count, tracker }: ReplayChanges): string {
  const words = [
    mode,
    body === undefined ? undefined : `body ${body === "rule" ? "helps" : "stands"}`,
    count === undefined ? undefined : `${count} starts`,
    ...Object.entries(tracker ?? {}).map(([name, value]) => `${name} ${value}`),
  ].filter((word) => word !== undefined);
  return words.length === 0 ? "as it was" : words.join(", ");
}
