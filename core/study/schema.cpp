#include "core/study/schema.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace ulp::study {
namespace {

constexpr double kLargestSeed = 9007199254740992;  // 2^53: exact in JSON readers, too

std::vector<std::string_view> computeDTypes() {
  return {"float64", "float32", "bfloat16", "float16"};
}

std::vector<Key> modelKeys() {
  return {
      {.path = "model.path",
       .type = ValueType::Path,
       .help = "A Hugging Face folder, a .gguf file, or a hub ID that is in the local cache. A "
               "relative path is looked up from the working folder, then from the study's folder."},
      {.path = "model.weights",
       .type = ValueType::Choice,
       .defaultText = "pretrained",
       .choices = {"pretrained", "random"},
       .help = "random: initialised as the reference implementation of the family does, from "
               "model.seed; the model's folder then needs config.json alone."},
      {.path = "model.seed",
       .type = ValueType::Integer,
       .defaultText = "0",
       .minimum = 0,
       .maximum = kLargestSeed,
       .help = "Seed of random weights."},
      {.path = "model.architecture",
       .type = ValueType::Object,
       .defaultText = "{}",
       .help = "Fields that replace those of the checkpoint's config.json."},
  };
}

std::vector<Key> inputKeys() {
  return {
      {.path = "input.source",
       .type = ValueType::Choice,
       .defaultText = "random",
       .choices = {"random", "tokens"},
       .help = "random: ids drawn uniformly from the vocabulary; tokens: ids from input.path."},
      {.path = "input.path",
       .type = ValueType::Path,
       .help = "File of token ids, int64 [batch, T+1], .npy, .safetensors or .json; read with "
               "input.source: tokens. Relative as model.path."},
      {.path = "input.sequence_length",
       .type = ValueType::Integer,
       .defaultText = "128",
       .minimum = 1,
       .maximum = 1 << 24,
       .help = "T, the number of input positions; T+1 tokens are drawn, the labels are the next "
               "tokens. With tokens from a file: the file's, and it must agree when it is set."},
      {.path = "input.micro_batch_size",
       .type = ValueType::Integer,
       .defaultText = "1",
       .minimum = 1,
       .maximum = 1 << 20,
       .help = "Number of sequences. With tokens from a file: the file's, and it must agree when "
               "it is set."},
      {.path = "input.seed",
       .type = ValueType::Integer,
       .defaultText = "0",
       .minimum = 0,
       .maximum = kLargestSeed,
       .help = "Seed of random tokens: torch.randint(0, vocabulary, (batch, T+1)) of a CPU "
               "generator."},
      {.path = "loss.type",
       .type = ValueType::Choice,
       .defaultText = "cross_entropy",
       .choices = {"cross_entropy"},
       .help = "cross_entropy: mean over the next-token predictions."},
  };
}

std::vector<Key> runKeys() {
  return {
      {.path = "precision.compute_dtype",
       .type = ValueType::DTypeName,
       .scope = KeyScope::Run,
       .defaultText = "float32",
       .choices = computeDTypes(),
       .help = "Format of the weights, the activations and their gradients."},
      {.path = "precision.residual_dtype",
       .type = ValueType::DTypeName,
       .scope = KeyScope::Run,
       .choices = computeDTypes(),
       .help = "Format of the residual stream. Default: the compute dtype of the run."},
      {.path = "precision.lm_head_dtype",
       .type = ValueType::DTypeName,
       .scope = KeyScope::Run,
       .choices = computeDTypes(),
       .help = "Format of the final matrix product and the logits; the head's weights are first "
               "rounded to the compute dtype. Default: the compute dtype of the run."},
      {.path = "precision.cast",
       .type = ValueType::Choice,
       .scope = KeyScope::Run,
       .defaultText = "load",
       .choices = {"load", "module"},
       .help = "load: parameters are rounded, rotary tables are computed in float32, as "
               "from_pretrained(dtype=...) does; module: buffers are rounded as well, as "
               "model.to(dtype) does."},
      {.path = "attention.implementation",
       .type = ValueType::Choice,
       .scope = KeyScope::Run,
       .defaultText = "sdpa",
       .choices = {"eager", "sdpa"},
       .help = "eager: scores, softmax and product one by one; sdpa: PyTorch's fused kernel."},
  };
}

std::vector<Key> outputKeys() {
  return {
      {.path = "capture.level",
       .type = ValueType::Choice,
       .defaultText = "module",
       .choices = {"layer", "module"},
       .help = "layer: embeddings, decoder layers, final norm, logits and loss; module: also every "
               "module inside the layers."},
      {.path = "capture.tensors",
       .type = ValueType::Choice,
       .defaultText = "full",
       .choices = {"none", "sampled", "full"},
       .help = "What of the captured tensors is kept in tensors.h5. Metrics always use all "
               "elements."},
      {.path = "capture.parameter_gradients",
       .type = ValueType::Boolean,
       .defaultText = "true",
       .help = "Also compare the gradient of every parameter."},
      {.path = "capture.include",
       .type = ValueType::PatternList,
       .defaultText = "[]",
       .help =
           "Regular expressions; a site is captured when one is found in its name. Empty: all."},
      {.path = "capture.exclude",
       .type = ValueType::PatternList,
       .defaultText = "[]",
       .help = "Regular expressions; a site whose name matches one is not captured."},
      {.path = "device",
       .type = ValueType::DeviceName,
       .defaultText = "auto",
       .help = "auto, cpu, cuda or cuda:N. auto: the first CUDA device if there is one."},
      {.path = "output_dir",
       .type = ValueType::Path,
       .help = "Folder of the report, made when missing; relative to the working folder. Default: "
               "runs/ and the name of the study file."},
  };
}

std::vector<Key> allKeys() {
  std::vector<Key> keys = modelKeys();
  for (const auto& group : {inputKeys(), runKeys(), outputKeys()}) {
    keys.insert(keys.end(), group.begin(), group.end());
  }
  return keys;
}

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

bool endsWithPart(std::string_view path, std::string_view part) {
  return path.size() > part.size() && path.ends_with(part) &&
         path[path.size() - part.size() - 1] == '.';
}

std::string valuesOf(const Key& key) {
  if (key.type == ValueType::Integer && key.minimum) {
    return fmt::format(">= {}", *key.minimum);
  }
  return fmt::format("{}", fmt::join(key.choices, " | "));
}

}  // namespace

std::span<const Key> schemaKeys() {
  static const std::vector<Key> kKeys = allKeys();
  return kKeys;
}

const Key* findKey(std::string_view path) {
  const auto keys = schemaKeys();
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.path == path; });
  return found == keys.end() ? nullptr : &*found;
}

bool isSection(std::string_view path) {
  const auto keys = schemaKeys();
  return std::any_of(keys.begin(), keys.end(), [&](const Key& key) {
    return key.path.size() > path.size() && key.path.starts_with(path) &&
           key.path[path.size()] == '.';
  });
}

std::string_view nearestKey(std::string_view path) {
  const std::size_t limit = std::max<std::size_t>(2, path.size() / 4);
  std::string_view nearest;
  std::size_t best = limit + 1;
  for (const Key& key : schemaKeys()) {
    // A key written without its section is found whatever the distance.
    const std::size_t distance = endsWithPart(key.path, path) ? 0 : editDistance(key.path, path);
    if (distance < best) {
      best = distance;
      nearest = key.path;
    }
  }
  return nearest;
}

std::string_view nearestSection(std::string_view path) {
  for (const Key& key : schemaKeys()) {
    const std::string_view section = key.path.substr(0, key.path.find('.'));
    if (section != key.path && editDistance(section, path) <= 2) {
      return section;
    }
  }
  return {};
}

std::string_view toString(ValueType type) {
  constexpr std::array<std::string_view, 10> kNames{"text",
                                                    "path",
                                                    "integer",
                                                    "number",
                                                    "boolean",
                                                    "dtype",
                                                    "choice",
                                                    "device",
                                                    "patterns",
                                                    "object"};
  return kNames.at(static_cast<std::size_t>(type));
}

std::string schemaHelp() {
  constexpr std::string_view kRow = "{:<28} {:<6} {:<9} {:<14} {}";
  std::string text = fmt::format(kRow, "key", "scope", "type", "default", "values") + '\n';
  for (const Key& key : schemaKeys()) {
    std::string row = fmt::format(kRow,
                                  key.path,
                                  key.scope == KeyScope::Run ? "run" : "study",
                                  toString(key.type),
                                  key.defaultText.empty() ? "-" : key.defaultText,
                                  valuesOf(key));
    row.erase(row.find_last_not_of(' ') + 1);
    text += fmt::format("{}\n    {}\n", row, key.help);
  }
  text +=
      "\nreference: {KEY: VALUE, ...}         run keys of the reference, on top of float32\n"
      "variants: {NAME: {KEY: VALUE, ...}}  run keys of each variant\n"
      "Keys are written nested (precision: {compute_dtype: bfloat16}) or dotted\n"
      "(precision.compute_dtype: bfloat16). docs/study.md explains which setting wins.\n";
  return text;
}

std::string schemaMarkdown() {
  std::string text =
      "| key | scope | type | default | values | meaning |\n|---|---|---|---|---|---|\n";
  for (const Key& key : schemaKeys()) {
    std::string values = valuesOf(key);
    for (std::size_t at = values.find(" | "); at != std::string::npos; at = values.find(" | ")) {
      values.replace(at, 3, ", ");
    }
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n",
                        key.path,
                        key.scope == KeyScope::Run ? "run" : "study",
                        toString(key.type),
                        key.defaultText.empty() ? "–" : fmt::format("`{}`", key.defaultText),
                        values,
                        key.help);
  }
  return text;
}

}  // namespace ulp::study
