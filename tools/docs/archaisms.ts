/** A word or phrase of another age, and what to write for it. */
export interface Archaism {
  readonly pattern: RegExp;
  readonly instead: string;
}

const listed: Readonly<Record<string, string>> = {
  "lest|for fear": "“so that … not”",
  "reckon(?:s|ed|ing|ings)?": "compute, count, estimate",
  "anew|afresh": "again",
  "in vain": "without success",
  "askew|awry": "tilted, wrong",
  "mend(?:s|ed|ing)?": "repair, fix",
  "who(?:so)?ever|whomever|whoso|nobody(?:[’']s)?|somebody|anybody|everybody|someone|no one": "the part that acts",
  "in thought|laid open|lay(?:s)? open": "simulated, shown",
  "practis(?:e|es|ed|ing)|rehears(?:e|es|ed|ing|al|als)": "warm up",
  "heed(?:s|ed|ing)?|obey(?:s|ed|ing)?|hearken": "handle, keep to",
  "greet(?:s|ed|ing|ings)?": "notify; `hello` of a protocol is code",
  "disclos(?:e|es|ed|ing|ure)": "publish, show",
  "spectators?|onlookers?": "observer",
  "there(?:of|in|upon|with|from|unto)|where(?:in|of|upon|with|unto)|here(?:in|of|upon|with|tofore)":
    "of it, in which, …",
  "whence|thence|hither|thither|whither|hitherto|henceforth|forthwith|yonder": "from where, so far, at once",
  "as though": "as if",
  "so as to": "to",
  "upon|unto": "on, to",
  "amid|amidst|amongst|betwixt|whilst": "in, among, between, while",
  "albeit|notwithstanding|inasmuch": "although",
  "ere|anon|erstwhile|betimes|by and by": "before, soon, former",
  shall: "must, will",
  "wont|fain|perchance|methinks|verily|nigh": "usual, perhaps, near",
  "nought|naught|aught": "nothing, anything",
  "thrice|twain|manifold times": "three times, two",
  "deem(?:s|ed|ing)?": "consider",
  "ought to": "should",
  "bid|bids|bade|bidding": "ask, request",
  "behold|befall(?:s)?|befell|bespeak(?:s)?|beget(?:s)?|foretell(?:s)?|foretold": "see, happen, predict",
  "in (?:its|their|his|her) stead|for want of|save for|of late|to and fro|of its own accord":
    "instead, without, except, lately",
  "asunder|athwart|aloft|unawares": "apart, across, up, unnoticed",
  "dwell(?:s|ed|ing)?|abide(?:s)?|slumber(?:s)?|tidings": "stay, wait, news",
  "needs must|must needs|nay|yea|oft": "must, no, yes, often",
};

export const archaisms: readonly Archaism[] = Object.entries(listed).map(([words, instead]) => ({
  pattern: new RegExp(`(?<![\\p{L}-])(?:${words.replaceAll(" ", "\\s+")})(?![\\p{L}-])`, "giu"),
  instead,
}));
