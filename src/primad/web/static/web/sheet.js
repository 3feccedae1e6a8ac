// Keeps what is typed on a sheet: each answer is sent a moment after it was changed.  What the server has not confirmed
// is in the storage of the browser, is sent once more when the page is left, and offered when somebody comes back.
"use strict";

(() => {
  const form = document.getElementById("sheet");
  if (!form) {
    return;
  }
  const WAIT = 700; // after the last key, in milliseconds
  const AGAIN = [2000, 5000, 15000, 30000]; // how long to wait before trying again
  const LOOK = 15000; // how often to ask what other pages have changed
  const state = document.getElementById("sheet-state");
  const offer = document.getElementById("sheet-offer");
  const key = `primad-sheet ${form.dataset.who} ${location.pathname}`;
  const parts = ["value", "comment", "note"];
  const boxes = new Map([...form.querySelectorAll("fieldset[data-key]")].map((box) => [box.dataset.key, box]));
  const waiting = new Map(); // question: timer
  const sending = new Set(); // questions that are on their way
  const onTheirWay = new Map(); // question: what stops the last message about it
  const changed = new Set(); // questions that the server has not confirmed
  let failures = 0;
  let leaving = false; // by a button of the form, which sends everything

  // What stands on the page ---------------------------------------------------------------------------------------

  const fieldsOf = (question, part) => [...form.querySelectorAll(`[name="${part}-${question}"]`)];

  const read = (question) => {
    const answer = {};
    for (const part of parts) {
      const fields = fieldsOf(question, part);
      if (fields.length) {
        const field = fields[0].type === "radio" ? fields.find((one) => one.checked) : fields[0];
        answer[part] = field ? field.value : "";
      }
    }
    return answer;
  };

  const write = (question, answer) => {
    for (const part of parts) {
      for (const field of fieldsOf(question, part)) {
        if (field.type === "radio") {
          field.checked = field.value === (answer[part] ?? "");
        } else {
          field.value = answer[part] ?? "";
        }
      }
    }
  };

  const same = (one, other) => parts.every((part) => (one[part] ?? "").trim() === (other[part] ?? "").trim());
  const mark = (question, to) => {
    const field = form.querySelector(`[name="was-${question}"]`);
    if (to !== undefined) {
      field.value = to;
    }
    return field.value;
  };

  const say = (question, text, isBad = false) => {
    const line = document.getElementById(`saved-${question}`);
    line.textContent = text;
    line.classList.toggle("bad", isBad);
  };

  // What is kept in the browser -----------------------------------------------------------------------------------

  const stored = () => {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? {};
    } catch {
      return {};
    }
  };

  const store = (all) => {
    try {
      if (Object.keys(all).length) {
        localStorage.setItem(key, JSON.stringify(all));
      } else {
        localStorage.removeItem(key);
      }
    } catch {
      state.textContent = "This browser keeps nothing: press Save before you leave the page.";
    }
  };

  const remember = (question) => store({ ...stored(), [question]: { ...read(question), at: Date.now() } });

  const forget = (question) => {
    const all = stored();
    delete all[question];
    store(all);
  };

  // Sending -------------------------------------------------------------------------------------------------------

  const body = (questions) => {
    const data = new FormData();
    data.set("csrfmiddlewaretoken", form.querySelector("[name=csrfmiddlewaretoken]").value);
    data.set("do", "save");
    for (const question of questions) {
      data.set(`was-${question}`, mark(question));
      for (const [part, text] of Object.entries(read(question))) {
        data.set(`${part}-${question}`, text);
      }
    }
    return data;
  };

  const post = (questions, more = {}) =>
    fetch(location.pathname, { method: "POST", body: body(questions), headers: { Accept: "application/json" }, ...more });

  // An older message must not arrive behind a newer one, so it is stopped first.
  const newest = (questions) => {
    const control = new AbortController();
    for (const question of questions) {
      onTheirWay.get(question)?.abort();
      onTheirWay.set(question, control);
    }
    return control.signal;
  };

  const later = (question, wait) => {
    clearTimeout(waiting.get(question));
    waiting.set(question, setTimeout(() => save(question), wait));
  };

  const save = async (question) => {
    waiting.delete(question);
    if (sending.has(question)) {
      later(question, WAIT);
      return;
    }
    const sent = read(question);
    sending.add(question);
    say(question, "Saving");
    try {
      const answer = await post([question], { signal: newest([question]) });
      if (!(answer.headers.get("Content-Type") ?? "").includes("json")) {
        throw new Error(answer.status === 403 ? "you are signed out, or the page is too old: load it again" : `the server answered ${answer.status}`);
      }
      failures = 0;
      confirmed(question, sent, await answer.json());
    } catch (error) {
      if (error.name === "AbortError") {
        later(question, WAIT); // a newer message took its place; whether that arrived is not known
        return;
      }
      const wait = AGAIN[Math.min(failures, AGAIN.length - 1)];
      failures += 1;
      const why = error instanceof TypeError ? "the server cannot be reached" : error.message;
      say(question, `Not saved yet: ${why}. It is kept in this browser, and tried again.`, true);
      later(question, wait);
    } finally {
      sending.delete(question);
    }
  };

  const confirmed = (question, sent, said) => {
    if (said.refused[question]) {
      say(question, `Not saved yet: ${said.refused[question]}. What you chose is kept in this browser.`, true);
      return;
    }
    mark(question, said.answers[question].mark);
    if (same(read(question), sent)) {
      changed.delete(question);
      forget(question);
    }
    say(question, [`Saved at ${said.at}.`, ...said.told.filter((one) => one.startsWith(`${question} `))].join(" "));
    tell({ question });
    summary();
  };

  const summary = () => {
    state.textContent = changed.size ? `Not yet saved: ${[...changed].join(", ")}.` : "Everything is saved as you type.";
  };

  // Other pages with the same sheet --------------------------------------------------------------------------------

  const channel = "BroadcastChannel" in window ? new BroadcastChannel(key) : null;
  const tell = (what) => channel?.postMessage(what);

  const look = async () => {
    try {
      const answer = await fetch(form.dataset.answers, { headers: { Accept: "application/json" } });
      if (answer.ok) {
        compare(await answer.json());
      }
    } catch {
      // The next change will tell whether the server can be reached.
    }
  };

  const compare = (said) => {
    for (const [question, answer] of Object.entries(said.answers)) {
      if (boxes.has(question) && answer.mark !== mark(question) && !changed.has(question) && !sending.has(question)) {
        write(question, answer);
        mark(question, answer.mark);
        say(question, `Changed on another page, which came later: ${answer.words}. Found at ${said.at}.`);
      }
    }
    if (said.locked) {
      state.textContent = "The sheet was locked on another page: nothing can be changed here any more. Load the page again.";
    }
  };

  if (channel) {
    channel.onmessage = look;
  }
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") {
      look();
    } else {
      flush();
    }
  });
  setInterval(() => document.visibilityState === "visible" && look(), LOOK);

  // Coming and going ----------------------------------------------------------------------------------------------

  const touched = (event) => {
    const question = event.target.closest("fieldset[data-key]")?.dataset.key;
    if (question) {
      changed.add(question);
      remember(question);
      summary();
      later(question, event.type === "change" ? 50 : WAIT);
    }
  };

  const flush = () => {
    const left = [...changed];
    if (left.length && !leaving) {
      post(left, { keepalive: true, signal: newest(left) }).catch(() => {}); // what does not arrive is offered when somebody comes back
    }
  };

  const offered = () => {
    const all = stored();
    const left = Object.entries(all).filter(([question, answer]) => boxes.has(question) && !same(answer, read(question)));
    store(Object.fromEntries(left));
    if (!left.length) {
      return;
    }
    const words = document.createElement("p");
    const names = left.map(([question, answer]) => `${question} (${new Date(answer.at).toLocaleString()})`).join(", ");
    words.textContent = `You changed ${names} in this browser, and the server never confirmed it.`;
    const take = button("Take what I had typed", () => {
      for (const [question, answer] of left) {
        write(question, { ...read(question), ...answer });
        changed.add(question);
        remember(question);
        later(question, 0);
      }
      offer.hidden = true;
      summary();
    });
    const drop = button("Leave the sheet as it is", () => {
      left.forEach(([question]) => forget(question));
      offer.hidden = true;
    });
    drop.className = "second";
    offer.replaceChildren(words, take, drop);
    offer.className = "notice bad";
    offer.hidden = false;
  };

  const button = (text, does) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", does);
    return made;
  };

  form.addEventListener("input", touched);
  form.addEventListener("change", touched);
  form.addEventListener("submit", () => {
    leaving = true;
    waiting.forEach(clearTimeout);
  });
  addEventListener("pagehide", flush);
  addEventListener("pageshow", () => { leaving = false; });
  summary();
  offered();
})();
