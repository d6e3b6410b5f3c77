// Runs firmware/ in a real MicroPython and carries its bytes: one JSON line in, one JSON line out.
//   node carrier.mjs FOLDER-OF-FIRMWARE SCRIPT.py     the script defines step(line) -> line
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { loadMicroPython } from "../npm/node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs";

const [firmware, script] = process.argv.slice(2);
const mp = await loadMicroPython({ heapsize: 1 << 20, stdout: (text) => process.stderr.write(text + "\n") });
for (const name of fs.readdirSync(firmware).filter((n) => n.endsWith(".py"))) {
  mp.FS.writeFile("/" + name, fs.readFileSync(path.join(firmware, name), "utf8"));
}
mp.FS.writeFile("/chip.py", fs.readFileSync(path.join(path.dirname(script), "chip.py"), "utf8"));
mp.runPython(fs.readFileSync(script, "utf8"));
const step = mp.globals.get("step");
for await (const line of readline.createInterface({ input: process.stdin })) {
  try {
    process.stdout.write(step(line) + "\n");
  } catch (error) {
    process.stderr.write(error.message + "\n"); // MicroPython's traceback, without the bundle's source
    process.exit(1);
  }
}
