// What makes pages quicker; every page works without it.
"use strict";

(() => {
  // What a form got wrong comes with the status 422, and that a site is busy with 503: both are shown as any answer.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if ([422, 503].includes(event.detail.xhr.status)) {
      event.detail.shouldSwap = true;
      event.detail.isError = false;
    }
  });

  // <button hidden data-copy="#id">: copies the text of another element, and says so.
  const copied = async (button) => {
    const from = document.querySelector(button.dataset.copy);
    const words = button.textContent;
    try {
      await navigator.clipboard.writeText(from.value ?? from.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Mark it and copy it by hand";
      from.focus?.();
      from.select?.();
    }
    setTimeout(() => { button.textContent = words; }, 3000);
  };

  // Times are shown in UTC; where the pointer rests, they are told as the clock of the reader has them.
  const localTime = (time) => {
    const when = new Date(time.dateTime);
    if (!Number.isNaN(when.getTime())) {
      time.title = `${when.toLocaleString()} by your clock`;
    }
  };

  const dress = (root) => {
    for (const button of root.querySelectorAll("button[data-copy][hidden]")) {
      button.hidden = false;
      button.addEventListener("click", () => copied(button));
    }
    root.querySelectorAll("time[datetime]").forEach(localTime);
  };

  dress(document);
  document.addEventListener("htmx:load", (event) => dress(event.detail.elt));
})();
