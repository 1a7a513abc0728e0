"use strict";
// The page of a graph: which step it is at, which picture is shown, what lights up. All numbers and texts were made
// beforehand; nothing is computed or laid out here.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const views = ["folded", "open"].filter((name) => by(name));
  const nodesOf = {}; // view -> item key -> numbers of nodes
  let view = data.view;
  let at = 0; // steps done
  let scale = 1;

  for (const name of views) {
    nodesOf[name] = new Map();
    data.nodes.forEach((node, i) => {
      if (node[name] === null) return;
      if (!nodesOf[name].has(node[name])) nodesOf[name].set(node[name], []);
      nodesOf[name].get(node[name]).push(i);
    });
  }

  const element = (name, node) => {
    const key = data.nodes[node][name];
    return key === null ? null : by(`${name}-n${key}`);
  };

  // --- the source ---------------------------------------------------------------------------------------------

  const characters = Array.from(data.source); // spans count characters, not UTF-16 units
  const pieces = []; // {start, end, element}

  function drawSource() {
    const cuts = new Set([0, characters.length]);
    for (const { spans } of data.nodes) for (const span of spans) span.forEach((offset) => cuts.add(offset));
    characters.forEach((c, i) => { if (c === "\n") cuts.add(i).add(i + 1); });
    const offsets = [...cuts].sort((a, b) => a - b);
    let number = 1;
    let line = newLine(number);
    for (let i = 0; i + 1 < offsets.length; i++) {
      const [start, end] = [offsets[i], offsets[i + 1]];
      const text = characters.slice(start, end).join("");
      if (text === "\n") {
        line.append("\n");
        if (end < characters.length) line = newLine(++number);
        continue;
      }
      const piece = document.createElement("span");
      piece.textContent = text;
      piece.tabIndex = -1;
      line.append(piece);
      pieces.push({ start, end, element: piece });
      const here = innermost(start, end);
      if (here.length) {
        piece.className = "live";
        piece.addEventListener("pointerenter", () => light(here));
        piece.addEventListener("pointerleave", () => light([]));
        piece.addEventListener("click", () => reveal(here[0]));
      }
    }
  }

  function newLine(number) {
    const line = document.createElement("span");
    line.className = "line";
    line.dataset.line = number;
    by("source").append(line);
    return line;
  }

  // the nodes that the smallest span around a piece of text belongs to
  function innermost(start, end) {
    let least = Infinity;
    let found = [];
    data.nodes.forEach(({ spans }, i) => {
      const span = spans.find((each) => each[0] <= start && each[1] >= end);
      if (!span) return;
      const size = span[1] - span[0];
      if (size < least) { least = size; found = []; }
      if (size === least) found.push(i);
    });
    return found;
  }

  // --- lighting up --------------------------------------------------------------------------------------------

  function light(nodes) {
    for (const old of document.querySelectorAll(".lit")) old.classList.remove("lit");
    for (const i of nodes) {
      for (const name of views) element(name, i)?.classList.add("lit");
      data.nodes[i].spans.forEach(lightSpan);
    }
    if (!nodes.length) showStepSpan();
  }

  function lightSpan(span) {
    for (const piece of pieces) {
      if (piece.start >= span[0] && piece.end <= span[1]) piece.element.classList.add("lit");
    }
  }

  function showStepSpan() {
    const step = data.steps[at - 1];
    if (!step) return;
    data.nodes[step.node].spans.forEach(lightSpan);
    const lit = document.querySelector("#source .lit");
    if (lit) keepInSight(lit, by("source"));
  }

  function keepInSight(child, parent) {
    const [a, b] = [child.getBoundingClientRect(), parent.getBoundingClientRect()];
    if (a.top < b.top || a.bottom > b.bottom) parent.scrollTop += a.top - b.top - b.height / 3;
    if (a.left < b.left || a.right > b.right) parent.scrollLeft += a.left - b.left - b.width / 3;
  }

  // --- steps --------------------------------------------------------------------------------------------------

  const gradients = {}; // view -> key -> [the element of the gradient's text, its text at the end]
  for (const name of views) {
    gradients[name] = new Map();
    for (const key of nodesOf[name].keys()) {
      const text = by(`${name}-n${key}`).querySelector("text.grad");
      if (text) gradients[name].set(key, [text, text.textContent]);
    }
  }
  const madeBy = new Map(); // node -> its forward step
  data.steps.forEach((step, i) => { if (step.kind === "forward") madeBy.set(step.node, i + 1); });

  function go(to) {
    at = Math.max(0, Math.min(data.steps.length, to));
    by("slider").value = at;
    by("count").textContent = data.steps.length ? `${at} of ${data.steps.length}` : "";
    showPanel();
    for (const name of views) showProgress(name);
    light([]);
    for (const [id, off] of [["first", at === 0], ["back", at === 0],
      ["next", at === data.steps.length], ["last", at === data.steps.length]]) by(id).disabled = off;
    const here = document.querySelector(`#${view} .node.here`);
    if (here) keepInSight(here, by("graph"));
  }

  function showPanel() {
    const step = data.steps[at - 1];
    const phases = { forward: "forward: the graph is built", start: "backward", backward: "backward: the chain rule" };
    by("phase").textContent = step ? phases[step.kind]
      : data.steps.length ? "before the first step; everything is shown" : "";
    by("title").textContent = step ? step.title : "";
    by("what").textContent = step ? step.what : "";
    by("where").textContent = step ? step.where : "";
    by("note").textContent = data.note;
    by("rows").replaceChildren(...(step ? step.rows : []).map(([head, value]) => {
      const row = document.createElement("tr");
      const [th, td] = [document.createElement("th"), document.createElement("td")];
      th.textContent = head;
      td.textContent = value;
      row.append(th, td);
      return row;
    }));
  }

  // fade what is not there yet, mark what the step is about, show gradients as far as they are summed up
  function showProgress(name) {
    const made = new Set();
    const sums = new Map();
    for (let i = 0; i < at; i++) {
      const step = data.steps[i];
      const key = data.nodes[step.node][name];
      if (step.kind === "forward") made.add(key);
      else sums.set(key, step.total);
    }
    const going = at > 0;
    const forward = at <= data.forward;
    for (const [key, members] of nodesOf[name]) {
      const node = by(`${name}-n${key}`);
      const tracked = members.some((i) => madeBy.has(i));
      node.classList.toggle("later", going && forward && tracked && !made.has(key));
      node.classList.remove("here", "sender");
      const text = gradients[name].get(key);
      if (text) text[0].textContent = !going || at === data.steps.length ? text[1] : sums.has(key) ? `grad ${sums.get(key)}` : "";
    }
    for (const edge of by(name).querySelectorAll(".edge")) edge.classList.remove("here");
    const step = data.steps[at - 1];
    if (!step) return;
    element(name, step.node)?.classList.add("here");
    if (step.kind !== "backward") return;
    if (data.nodes[step.from][name] !== data.nodes[step.node][name]) element(name, step.from)?.classList.add("sender");
    const edge = step.edge[name];
    if (edge !== null && edge !== undefined) by(`${name}-e${edge}`).classList.add("here");
  }

  // --- pictures -----------------------------------------------------------------------------------------------

  function show(name) {
    view = name;
    for (const each of views) by(each).toggleAttribute("hidden", each !== name);
    const fold = by("fold");
    fold.hidden = views.length < 2;
    fold.textContent = view === "folded" ? "open loops" : "fold loops";
    resize(scale);
  }

  function resize(to) {
    scale = Math.max(0.1, Math.min(4, to));
    for (const name of views) {
      const svg = by(name);
      const box = svg.viewBox.baseVal;
      svg.setAttribute("width", box.width * scale);
      svg.setAttribute("height", box.height * scale);
    }
  }

  function reveal(node) {
    const found = element(view, node);
    if (found) keepInSight(found, by("graph"));
    if (madeBy.has(node)) go(madeBy.get(node));
  }

  function turnFold() {
    if (views.length < 2) return;
    show(view === "folded" ? "open" : "folded");
    go(at);
  }

  for (const name of views) {
    for (const [key, members] of nodesOf[name]) {
      const node = by(`${name}-n${key}`);
      node.setAttribute("tabindex", "0");
      node.setAttribute("role", "button");
      node.addEventListener("pointerenter", () => light(members));
      node.addEventListener("pointerleave", () => light([]));
      node.addEventListener("focus", () => light(members));
      node.addEventListener("blur", () => light([]));
      node.addEventListener("click", () => reveal(members[0]));
      node.addEventListener("dblclick", () => { if (members.length > 1) turnFold(); });
    }
  }

  // --- controls -----------------------------------------------------------------------------------------------

  const toBackward = () => go(data.forward + 1);
  const keys = {
    ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1), Home: () => go(0), End: () => go(data.steps.length),
    b: toBackward, f: turnFold, "+": () => resize(scale * 1.2), "-": () => resize(scale / 1.2), 0: () => resize(1),
    Escape: () => { document.activeElement?.blur(); light([]); },
    Enter: () => document.activeElement?.classList.contains("node")
      && document.activeElement.dispatchEvent(new MouseEvent("click")),
  };
  document.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    const button = event.target.tagName === "BUTTON" && event.key === "Enter";
    if (!action || button || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
  by("slider").max = data.steps.length;
  by("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  for (const [id, key] of [["first", "Home"], ["back", "ArrowLeft"], ["next", "ArrowRight"], ["last", "End"],
    ["turn", "b"], ["fold", "f"], ["in", "+"], ["out", "-"]]) by(id).addEventListener("click", keys[key]);
  by("name").textContent = data.name;
  by("stepper").hidden = !data.steps.length;
  by("turn").hidden = !(data.steps.length > data.forward);

  drawSource();
  show(view);
  resize(Math.max(0.45, Math.min(1, (by("graph").clientWidth - 20) / by(view).viewBox.baseVal.width)));
  go(0);
  const beginning = document.querySelector(`#${view} .node`);
  if (beginning) keepInSight(beginning, by("graph"));
})();
