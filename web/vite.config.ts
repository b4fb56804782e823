import { defineConfig } from "vite";

/** Where `flycatcher live` listens while the page is worked on with `npx vite web`. */
const service = "http://127.0.0.1:8080";

// biome-ignore lint/style/noDefaultExport: Vite asks for one.
export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2023",
    // Nothing inline: the content-security-policy allows files of the service alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    reportCompressedSize: false,
  },
  server: { proxy: { "/v1": { target: service, ws: true } } },
});
