// Sending files: a draft to be marked, documents for a private corpus; and how far the work is.
"use strict";

(function () {
  const main = document.querySelector("main");
  const token = main.dataset.token;
  const base = main.dataset.base;

  // One file, as it is; progress from 0 to 1. Resolves to the answer, rejects with a message.
  function send(method, url, file, headers, onProgress) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, url);
      request.setRequestHeader("Content-Type", "application/octet-stream");
      request.setRequestHeader("X-Feverfew-Token", token);
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.upload.addEventListener("progress", (event) => {
        if (event.lengthComputable) onProgress(event.loaded / event.total);
      });
      request.addEventListener("load", () => {
        let said = {};
        try {
          said = JSON.parse(request.responseText);
        } catch (refused) {
          // A server that answers no JSON has said enough by its status.
        }
        if (request.status >= 200 && request.status < 300) resolve(said);
        else reject(new Error(said.error || `the server answered ${request.status}`));
      });
      request.addEventListener("error", () => reject(new Error("the server cannot be reached")));
      request.send(file);
    });
  }

  async function ask(url, method = "GET") {
    const answer = await fetch(url, { method, headers: { "X-Feverfew-Token": token, Accept: "application/json" } });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    return answer.json();
  }

  function later(milliseconds) {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  // Files come from a button, or are dropped.
  function takesFiles(area, take) {
    const input = area.querySelector("[data-file]");
    const chosen = () => {
      if (input.files.length) take([...input.files]);
      input.value = "";
    };
    input.addEventListener("change", chosen);
    // Who was faster than this script has chosen files already.
    setTimeout(chosen, 0);
    for (const kind of ["dragenter", "dragover"]) {
      area.addEventListener(kind, (event) => {
        event.preventDefault();
        area.classList.add("over");
      });
    }
    for (const kind of ["dragleave", "drop"]) {
      area.addEventListener(kind, () => area.classList.remove("over"));
    }
    area.addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length) take([...event.dataTransfer.files]);
    });
  }

  // A draft

  const draft = document.querySelector("[data-draft]");
  if (draft) {
    const wrong = draft.querySelector("[data-wrong]");
    const bar = draft.querySelector("progress");
    takesFiles(draft, async ([file]) => {
      wrong.hidden = true;
      bar.hidden = false;
      try {
        const name = encodeURIComponent(file.name);
        const answer = await send("POST", `${base}/drafts/file`, file, { "X-File-Name": name }, (share) => {
          bar.value = share;
        });
        window.location.assign(answer.at);
      } catch (error) {
        bar.hidden = true;
        wrong.textContent = `${error.message[0].toUpperCase()}${error.message.slice(1)}.`;
        wrong.hidden = false;
      }
    });
  }

  const progress = document.querySelector("[data-progress]");
  if (progress) {
    const bar = progress.querySelector("progress");
    (async function watch() {
      for (;;) {
        await later(700);
        const status = await ask(progress.dataset.progress);
        bar.value = status.done;
        progress.querySelector("[data-done]").textContent = status.done.toLocaleString("en");
        if (status.finished) return window.location.reload();
      }
    })().catch(() => window.location.reload());
  }

  // A private corpus

  const shelf = document.querySelector("[data-shelf]");
  if (!shelf) return;
  const at = shelf.dataset.shelf;
  const indexing = shelf.querySelector("[data-indexing]");

  async function watchIndexing() {
    indexing.hidden = false;
    for (;;) {
      const status = await ask(`${at}/status`);
      indexing.querySelector("progress").value = status.fraction;
      indexing.querySelector("[data-stage]").textContent = status.stage;
      if (!status.running) return window.location.reload();
      await later(500);
    }
  }

  const area = shelf.querySelector("[data-upload]");
  const list = area.querySelector(".uploads");
  takesFiles(area, async (files) => {
    let taken = 0;
    const failed = [];
    for (const file of files) {
      const item = document.createElement("li");
      const bar = document.createElement("progress");
      bar.max = 1;
      bar.setAttribute("aria-label", file.name);
      item.append(`${file.name} `, bar);
      list.append(item);
      try {
        if (file.size > Number(area.dataset.largest)) throw new Error("it is too large");
        const name = encodeURIComponent(encodeURIComponent(file.name));
        await send("PUT", `${at}/files/${name}`, file, {}, (share) => {
          bar.value = share;
        });
        bar.value = 1;
        taken += 1;
      } catch (error) {
        bar.remove();
        item.className = "wrong";
        item.replaceChildren(`Not taken: ${error.message.startsWith(file.name) ? "" : `${file.name}: `}${error.message}`);
        failed.push(file.name);
      }
    }
    if (!taken) return;
    await ask(`${at}/index`, "POST");
    // What was refused must stay readable.
    if (failed.length) await later(4000);
    await watchIndexing();
  });
  if (shelf.hasAttribute("data-running")) watchIndexing();
})();
