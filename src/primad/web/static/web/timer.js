// Shows how long somebody has worked, second by second; without it the page says since when.
"use strict";

(() => {
  const two = (number) => String(number).padStart(2, "0");

  for (const clock of document.querySelectorAll("output.clock[data-since]")) {
    const { before, since, now } = clock.dataset;
    // Counted from the time of the server when the page was made: the clock of a browser may be wrong.
    const atLoad = Number(before) + (Date.parse(now) - Date.parse(since)) / 1000;
    const loaded = performance.now();
    const show = () => {
      const seconds = Math.max(0, Math.floor(atLoad + (performance.now() - loaded) / 1000));
      clock.textContent = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
    };
    show();
    setInterval(show, 1000);
  }
})();
