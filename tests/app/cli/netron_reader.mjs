// What Netron shows beside a model with an attachment, by Netron's own code and without a browser.
// Usage: node netron_reader.mjs MODEL ATTACHMENT, in a copy of Netron's JavaScript. Prints JSON: whether the file was
// taken as an attachment, the model's metadata, and the metrics of each node.
import * as fs from 'fs';
import { FileStream } from './node.js';
import { ModelFactoryService, View } from './view.js';

const asset = async (file) => fs.readFileSync(new URL(file, import.meta.url), 'utf-8');

const contextOf = (path) => {
    const { size, mtimeMs } = fs.statSync(path);
    return {
        identifier: path.split('/').pop(),
        stream: new FileStream(path, 0, size, mtimeMs),
        entries: new Map(),
        tags: new Map(),
        require: async (id) => import(`${id}.js`),
        asset,
        request: asset,
        error: (error) => { throw error; }
    };
};

const plain = (entries) => Object.fromEntries(entries.map((entry) => [entry.name, entry.value]));

const host = {
    document: {},
    environment: () => true,
    require: async (id) => import(`${id}.js`),
    exception: (error) => { throw error; },
    event: () => {}
};
const [modelPath, attachmentPath] = process.argv.slice(2);
const model = await new ModelFactoryService(host).open(contextOf(modelPath));
const isTaken = await View.prototype.attach.call({ _model: model }, contextOf(attachmentPath));
const nodes = {};
if (isTaken) {
    for (const graph of model.modules) {
        for (const node of graph.nodes) {
            nodes[node.name] = plain(model.attachment.metrics.node(node));
        }
    }
}
console.log(JSON.stringify({
    isTaken,
    model: isTaken ? plain(model.attachment.metadata.model(model)) : {},
    nodes
}));
