const slash = 0x2f;

/**
 * Compiles a pattern for whole keys. `*` matches any number of characters and `?` one character, both except `/`; `**`
 * matches any number of characters including `/`. A backslash makes the next character literal. All other characters are
 * literal, also braces, brackets and leading dots. A character is a Unicode code point. Matching takes at most
 * (length of key) × (length of pattern) ÷ 32 steps for any pattern, because all positions advance together, without
 * backtracking. Returns `undefined` for a pattern that ends with a single backslash.
 */
export function compileGlob(pattern: string): ((key: string) => boolean) | undefined {
  const tokens = parse(pattern);
  return tokens && matcher(tokens);
}

/** A code point as itself, or a wildcard. */
type Token = number | "?" | "*" | "**";

function parse(pattern: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (const [part] of pattern.matchAll(/\\.?|\*+|./gsu)) {
    if (part === "\\") return undefined;
    if (part.startsWith("*")) tokens.push(part === "*" ? "*" : "**");
    else if (part === "?") tokens.push("?");
    else tokens.push(part.codePointAt(part.startsWith("\\") ? 1 : 0) ?? 0);
  }
  return tokens;
}

/** One bit for each position in the pattern, the end included. */
type Positions = Uint32Array;

/**
 * The pattern as a nondeterministic automaton whose positions are bits (Baeza-Yates and Gonnet, “A new approach to text
 * searching”, CACM 35:10). `parse` has merged adjacent `*`, so passing over one takes a single shift.
 */
function matcher(tokens: Token[]): (key: string) => boolean {
  const positions = (wanted: (token: Token) => boolean): Positions => {
    const bits = new Uint32Array((tokens.length >>> 5) + 1);
    for (const [at, token] of tokens.entries()) {
      if (wanted(token)) bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31));
    }
    return bits;
  };
  const runs = positions((token) => token === "*" || token === "**");
  const paths = positions((token) => token === "**");
  const wildcards = positions((token) => token === "?");
  const movers = new Map([[slash, positions((token) => token === slash)]]);
  for (const literal of tokens) {
    if (typeof literal !== "number" || movers.has(literal)) continue;
    movers.set(
      literal,
      positions((token) => token === literal || token === "?"),
    );
  }

  /** Positions of the automaton after it advanced from the positions in `moves` and stayed at those in `stays`. */
  const state = new Uint32Array(runs.length);
  const step = (moves: Positions, stays: Positions): number => {
    let carry = 0;
    let alive = 0;
    for (let word = 0; word < state.length; word += 1) {
      const here = state[word] ?? 0;
      const moved = here & (moves[word] ?? 0);
      const entered = (moved << 1) | carry | (here & (stays[word] ?? 0));
      const passed = entered & (runs[word] ?? 0);
      state[word] = entered | (passed << 1);
      // A bit that is shifted out enters the next word, where it may also pass over a `*`.
      carry = (moved >>> 31) | (passed >>> 31);
      alive |= state[word] ?? 0;
    }
    return alive;
  };

  return (key) => {
    state.fill(0);
    state[0] = (runs[0] ?? 0) & 1 ? 3 : 1;
    for (let at = 0; at < key.length; ) {
      const character = key.codePointAt(at) ?? 0;
      at += character > 0xffff ? 2 : 1;
      if (step(movers.get(character) ?? wildcards, character === slash ? paths : runs) === 0) return false;
    }
    return (((state[tokens.length >>> 5] ?? 0) >>> (tokens.length & 31)) & 1) === 1;
  };
}
