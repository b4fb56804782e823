import type { BringupOperator } from "../setup/bringup/bringup-step.js";
import { type Prompt, terminalPrompt } from "./robot-init-questions.js";

/** What a person must type before the robot moves: more than a yes. */
const ENABLE = "ENABLE";

/** What was answered before, where there is no terminal to ask on. */
export interface GivenAnswers {
  /** A person has looked and says yes to every question. */
  readonly confirmed: boolean;
  /** The robot may move. */
  readonly enabled: boolean;
}

/** The person at the terminal. */
export class TerminalOperator implements BringupOperator {
  readonly kind = "person";
  readonly #prompt: Prompt;

  constructor(prompt: Prompt = terminalPrompt()) {
    this.#prompt = prompt;
  }

  say(line: string): void {
    this.#prompt.say(line);
  }

  async confirms(question: string): Promise<boolean> {
    return /^y(es)?$/i.test((await this.#prompt.ask(`${question} (yes/no) `)).trim());
  }

  async enables(what: string): Promise<boolean> {
    this.say(`${what}: THE ROBOT WILL MOVE. Hold its own enabling device, and its emergency stop in reach.`);
    return (await this.#prompt.ask(`Type ${ENABLE} to let it move, anything else to skip: `)).trim() === ENABLE;
  }

  close(): void {
    this.#prompt.close();
  }
}

/** Without a terminal: what the flags say. */
export class FlagOperator implements BringupOperator {
  readonly kind: BringupOperator["kind"];
  readonly #answers: GivenAnswers;
  readonly #say: (line: string) => void;

  constructor(kind: BringupOperator["kind"], answers: GivenAnswers, say: (line: string) => void) {
    this.kind = kind;
    this.#answers = answers;
    this.#say = say;
  }

  say(line: string): void {
    this.#say(line);
  }

  async confirms(question: string): Promise<boolean> {
    this.#say(`${question} ${this.#answers.confirmed ? "yes" : "no: --confirmed says yes where there is no terminal"}`);
    return this.#answers.confirmed;
  }

  async enables(what: string): Promise<boolean> {
    if (!this.#answers.enabled) this.#say(`${what}: --enable lets the robot move where there is no terminal`);
    return this.#answers.enabled;
  }

  close(): void {
    // There is nothing to close.
  }
}
