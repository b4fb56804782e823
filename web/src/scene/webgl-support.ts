/** Whether this browser can draw in three dimensions; told once, from a canvas that is thrown away. */
export function hasWebGL(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}
