/** Cannot be loaded: what it imports is not there. */
const missing = "./not-there.js";
await import(missing);
