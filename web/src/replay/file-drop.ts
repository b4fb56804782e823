import { element } from "../dom/element.js";

/** A place where recordings can be dropped or chosen. They are read in the browser. */
export function createFileDrop(open: (file: File) => void): HTMLElement {
  const input = element("input", {
    class: "visually-hidden",
    attributes: { type: "file", accept: ".mcap", "aria-label": "Open an MCAP file" },
    on: {
      change: () => {
        const file = input.files?.[0];
        if (file !== undefined) open(file);
        input.value = "";
      },
    },
  });
  const place = element("label", { class: "drop" }, [
    element("strong", { text: "Drop a recording here" }),
    element("span", {
      class: "quiet",
      text: "or choose an MCAP file. It is read in this browser, and sent to the service only to be run again.",
    }),
    input,
  ]);
  place.addEventListener("dragover", (event) => {
    event.preventDefault();
    place.classList.add("over");
  });
  place.addEventListener("dragleave", () => place.classList.remove("over"));
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    place.classList.remove("over");
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) open(file);
  });
  return place;
}
