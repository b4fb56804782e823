import { callMethod, constants, finite, functions, numberOf } from "./xacro-functions.js";
import { compare, itemOf, operate, shortEnough } from "./xacro-operators.js";
import { type Token, tokenize } from "./xacro-tokens.js";
import { formatValue, isTruthy, XacroDict, type XacroValue, xacroError } from "./xacro-value.js";

/** What an expression knows beside its own numbers. */
export interface ExpressionContext {
  /** The value of a property or macro parameter; undefined if there is none. */
  lookup(name: string): XacroValue | undefined;
  /** What `xacro.load_yaml` gives. */
  loadYaml(file: string): XacroValue;
}

/** The value of `1.5 * radius if wide else 2 * pi / 3`: the subset of Python that descriptions of robots use. */
export function evaluateExpression(expression: string, context: ExpressionContext): XacroValue {
  return new Parser(tokenize(expression), context).parse()();
}

/** A part of an expression, not yet evaluated: a branch that is not taken never is. */
type Thunk = () => XacroValue;

/** Deepest nesting of brackets. */
const maxDepth = 100;

const comparisons = ["==", "!=", "<=", ">=", "<", ">"];
/** Modules whose members are called by their own names. */
const modules = ["xacro", "math", "python"];
/** Functions that only print. */
const silent = ["warning", "message", "error", "fatal", "print_location"];

/** One method a level of Python's grammar, lowest first. */
class Parser {
  readonly #tokens: readonly Token[];
  readonly #context: ExpressionContext;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], context: ExpressionContext) {
    this.#tokens = tokens;
    this.#context = context;
  }

  parse(): Thunk {
    const value = this.#conditional();
    if (this.#at < this.#tokens.length) throw this.#unexpected("the end");
    return value;
  }

  #conditional(): Thunk {
    if (++this.#depth > maxDepth) throw xacroError("an expression is nested too deeply");
    let value = this.#or();
    if (this.#takeName("if")) {
      const [then, condition] = [value, this.#or()];
      this.#expectName("else");
      const otherwise = this.#conditional();
      value = () => (isTruthy(condition()) ? then() : otherwise());
    }
    this.#depth--;
    return value;
  }

  #or(): Thunk {
    const operands = this.#operands("or", () => this.#and());
    return operands.length === 1 ? operands[0]! : () => decide(operands, true);
  }

  #and(): Thunk {
    const operands = this.#operands("and", () => this.#not());
    return operands.length === 1 ? operands[0]! : () => decide(operands, false);
  }

  #operands(name: string, next: () => Thunk): Thunk[] {
    const operands = [next()];
    while (this.#takeName(name)) operands.push(next());
    return operands;
  }

  #not(): Thunk {
    let count = 0;
    while (this.#takeName("not")) count++;
    const value = this.#comparison();
    return count === 0 ? value : () => isTruthy(value()) === (count % 2 === 0);
  }

  #comparison(): Thunk {
    const operands = [this.#sum()];
    const signs: string[] = [];
    for (let sign = this.#takeComparison(); sign !== undefined; sign = this.#takeComparison()) {
      signs.push(sign);
      operands.push(this.#sum());
    }
    if (signs.length === 0) return operands[0]!;
    return () => {
      const values = operands.map((operand) => operand());
      return signs.every((sign, i) => compare(values[i]!, sign, values[i + 1]!));
    };
  }

  #takeComparison(): string | undefined {
    const sign = comparisons.find((candidate) => this.#takeSign(candidate));
    if (sign !== undefined) return sign;
    if (this.#takeName("in")) return "in";
    const next = this.#tokens[this.#at + 1];
    if (!(this.#isName("not") && next?.kind === "name" && next.value === "in")) return undefined;
    this.#at += 2;
    return "not in";
  }

  #sum(): Thunk {
    return this.#chain(["+", "-"], () => this.#product());
  }

  #product(): Thunk {
    return this.#chain(["*", "//", "/", "%"], () => this.#unary());
  }

  #chain(signs: readonly string[], next: () => Thunk): Thunk {
    const first = next();
    const rest: { sign: string; operand: Thunk }[] = [];
    for (;;) {
      const sign = signs.find((candidate) => this.#takeSign(candidate));
      if (sign === undefined) break;
      rest.push({ sign, operand: next() });
    }
    if (rest.length === 0) return first;
    return () => rest.reduce((value, { sign, operand }) => operate(value, sign, operand()), first());
  }

  #unary(): Thunk {
    let factor = 0;
    while (this.#isSign("-") || this.#isSign("+")) factor = (factor || 1) * (this.#takeSign("-") ? -1 : this.#plus());
    const value = this.#power();
    return factor === 0 ? value : () => factor * numberOf(value());
  }

  #plus(): 1 {
    this.#expectSign("+");
    return 1;
  }

  #power(): Thunk {
    const base = this.#postfix();
    if (!this.#takeSign("**")) return base;
    if (++this.#depth > maxDepth) throw xacroError("an expression is nested too deeply");
    const exponent = this.#unary();
    this.#depth--;
    return () => finite(numberOf(base()) ** numberOf(exponent()));
  }

  #postfix(): Thunk {
    let value = this.#atom();
    for (;;) {
      if (this.#takeSign("[")) value = this.#index(value);
      else if (this.#takeSign(".")) value = this.#member(value, this.#takeAnyName());
      else return value;
    }
  }

  #index(target: Thunk): Thunk {
    const index = this.#conditional();
    this.#expectSign("]");
    return () => itemOf(target(), index());
  }

  #member(target: Thunk, name: string): Thunk {
    if (!this.#isSign("(")) return () => itemOf(target(), name);
    const { args } = this.#arguments();
    return () =>
      shortEnough(
        callMethod(
          target(),
          name,
          args.map((arg) => arg()),
        ),
      );
  }

  #atom(): Thunk {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw xacroError("an expression ends too early");
    if (token.kind === "number" || token.kind === "text") return () => token.value;
    if (token.kind === "name") return this.#named(token.value);
    if (token.value === "(") return this.#bracket();
    if (token.value === "[") return listThunk(this.#items("]"));
    if (token.value === "{") return this.#dictionary();
    throw xacroError("an expression cannot be read", "a value", token.value);
  }

  #bracket(): Thunk {
    const value = this.#conditional();
    if (this.#takeSign(",")) return listThunk([value, ...this.#items(")")]);
    this.#expectSign(")");
    return value;
  }

  #items(end: string): Thunk[] {
    const items: Thunk[] = [];
    while (!this.#takeSign(end)) {
      items.push(this.#conditional());
      if (!this.#isSign(end)) this.#expectSign(",");
    }
    return items;
  }

  #dictionary(): Thunk {
    const entries: (readonly [Thunk, Thunk])[] = [];
    while (!this.#takeSign("}")) {
      const key = this.#conditional();
      this.#expectSign(":");
      entries.push([key, this.#conditional()]);
      if (!this.#isSign("}")) this.#expectSign(",");
    }
    return () => new XacroDict(entries.map(([key, value]) => [formatValue(key()), value()]));
  }

  /** A property, a constant, or a call; `math.pi`, `xacro.load_yaml` and `python.str` go by their last names. */
  #named(first: string): Thunk {
    const isMember = modules.includes(first) && this.#takeSign(".");
    const name = isMember ? this.#takeAnyName() : first;
    if (this.#isSign("(")) return this.#call(name);
    return () => {
      const value = (isMember ? undefined : this.#context.lookup(name)) ?? constants.get(name);
      if (value === undefined) throw xacroError("there is no such property", "the name of a property", name);
      return value;
    };
  }

  #call(name: string): Thunk {
    const { args, named } = this.#arguments();
    if (name === "dict") return () => new XacroDict(named.map(([key, value]) => [key, value()]));
    if (name === "load_yaml") return () => this.#context.loadYaml(formatValue(args[0]?.() ?? ""));
    if (silent.includes(name)) return () => "";
    const called = functions.get(name);
    if (called === undefined) throw xacroError("unknown function", "a function of xacro", name);
    return () => shortEnough(called(...args.map((arg) => arg())));
  }

  #arguments(): { args: Thunk[]; named: [string, Thunk][] } {
    this.#expectSign("(");
    const args: Thunk[] = [];
    const named: [string, Thunk][] = [];
    while (!this.#takeSign(")")) {
      const [token, next] = [this.#tokens[this.#at], this.#tokens[this.#at + 1]];
      if (token?.kind === "name" && next?.kind === "sign" && next.value === "=") {
        this.#at += 2;
        named.push([token.value, this.#conditional()]);
      } else args.push(this.#conditional());
      if (!this.#isSign(")")) this.#expectSign(",");
    }
    return { args, named };
  }

  #isSign(sign: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === "sign" && token.value === sign;
  }

  #takeSign(sign: string): boolean {
    const isIt = this.#isSign(sign);
    if (isIt) this.#at++;
    return isIt;
  }

  #expectSign(sign: string): void {
    if (!this.#takeSign(sign)) throw this.#unexpected(sign);
  }

  #isName(name: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === "name" && token.value === name;
  }

  #takeName(name: string): boolean {
    const isIt = this.#isName(name);
    if (isIt) this.#at++;
    return isIt;
  }

  #expectName(name: string): void {
    if (!this.#takeName(name)) throw this.#unexpected(name);
  }

  #takeAnyName(): string {
    const token = this.#tokens[this.#at++];
    if (token?.kind !== "name") throw xacroError("an expression cannot be read", "a name", String(token?.value));
    return token.value;
  }

  #unexpected(expected: string): Error {
    const found = this.#tokens[this.#at];
    return xacroError("an expression cannot be read", expected, found === undefined ? "the end" : String(found.value));
  }
}

function listThunk(items: readonly Thunk[]): Thunk {
  return () => items.map((item) => item());
}

/** The first operand whose truth is `wanted`, or the last. */
function decide(operands: readonly Thunk[], wanted: boolean): XacroValue {
  let value: XacroValue = null;
  for (const operand of operands) {
    value = operand();
    if (isTruthy(value) === wanted) return value;
  }
  return value;
}
