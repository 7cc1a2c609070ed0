#include "core/study/fast_llm/fast_llm_study.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>
#include <ranges>
#include <utility>

#include "core/base/dtype.h"
#include "core/base/text/ascii_lower.h"
#include "core/base/text/parse_number.h"
#include "core/study/fast_llm/fast_llm_paths.h"
#include "core/study/schema/schema.h"
#include "core/study/yaml/yaml_write.h"

namespace ulp::study {
namespace {

constexpr std::string_view kComputePath = "model.distributed.compute_dtype";
constexpr std::string_view kScalePath = "optimizer.gradient_scaler.constant";
constexpr std::string_view kReductionPath =
    "_torch_backend.cuda.matmul.allow_bf16_reduced_precision_reduction";
constexpr std::int64_t kDefaultTokens = 2048;
constexpr std::int64_t kDefaultSequences = 256;
constexpr std::int64_t kDefaultModelSeed = 1234;
constexpr std::string_view kHoldsForStudy = "holds for the whole study; runs share it";

/// One value of the file, under its dotted path.
using Leaf = YamlNode::Entry;

void collectLeaves(const YamlNode::Entry& entry, const std::string& prefix, YamlNode& leaves) {
  const std::string path = prefix.empty() ? entry.key : prefix + "." + entry.key;
  if (entry.value.kind != YamlNode::Kind::Map) {
    leaves.entries.push_back({path, entry.position, entry.value});
    return;
  }
  for (const YamlNode::Entry& inner : entry.value.entries) {
    collectLeaves(inner, path, leaves);
  }
}

/// All values of a map in one map.
YamlNode leavesOf(const YamlNode& map) {
  YamlNode leaves = mapNode();
  for (const YamlNode::Entry& entry : map.entries) {
    collectLeaves(entry, "", leaves);
  }
  return leaves;
}

bool isVariants(const YamlNode::Entry& entry) {
  return entry.key == "variants";
}

/// "True" is "true", "0.0" is "0".
bool sameValue(std::string_view written, std::string_view known) {
  const auto a = parseNumber<double>(written);
  const auto b = parseNumber<double>(known);
  if (a && b) {
    return *a == *b;
  }
  return asciiLower(written) == known;
}

/// Where translated settings go: the study, or one variant.
struct Target {
  YamlNode* settings = nullptr;
  std::string_view compute;  ///< dtype of the run; empty: the study, whose runs differ
  std::string label;         ///< " in variant 'bf16'"
};

class Translator {
 public:
  explicit Translator(const std::filesystem::path& folder) : m_folder(folder) {}

  FastLlmTranslation translate(const YamlNode& root) {
    for (const YamlNode::Entry& entry : root.entries) {
      if (!isVariants(entry)) {
        collectLeaves(entry, "", m_base);
      }
    }
    const Target study{.settings = &m_result.study};
    emit(study, "semantics", scalarNode("fast_llm"));
    for (const Leaf& leaf : m_base.entries) {
      translateBase(leaf, study);
    }
    addDefaults(study);
    for (const YamlNode::Entry& entry : root.entries) {
      if (isVariants(entry)) {
        translateVariants(entry);
      }
    }
    finish(study);
    return std::move(m_result);
  }

 private:
  void addProblem(SourcePosition position, std::string message) {
    m_result.problems.push_back({position, std::move(message)});
  }

  void note(const FastLlmPath& row, std::string_view path) {
    std::vector<std::string>& paths = m_notes[row.reason];
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) {
      paths.emplace_back(path);
    }
  }

  void refuse(const Leaf& leaf, const Target& target, std::string_view reason) {
    addProblem(leaf.position, fmt::format("'{}'{}: {}", leaf.key, target.label, reason));
  }

  void emit(const Target& target, std::string_view key, YamlNode value) {
    target.settings->entries.push_back({std::string(key), value.position, std::move(value)});
  }

  /// Settings that depend on the compute dtype are set in each variant, which know theirs.
  static bool isPerRun(const FastLlmPath& row) {
    return std::ranges::count(row.values | std::views::values, kFastLlmCompute) > 0;
  }

  void translateBase(const Leaf& leaf, const Target& study) {
    const FastLlmPath* row = findFastLlmPath(leaf.key);
    if (leaf.key == kComputePath) {
      m_result.notes.push_back(fmt::format(
          "{}: has no effect outside of variants; the tool replaces it by float32", leaf.key));
    } else if (row != nullptr && isPerRun(*row)) {
      m_inherited.push_back(leaf);
    } else {
      translateLeaf(leaf, study);
    }
  }

  void translateLeaf(const Leaf& leaf, const Target& target) {
    const FastLlmPath* row = findFastLlmPath(leaf.key);
    if (row == nullptr) {
      addUnknown(leaf, target);
      return;
    }
    if (leaf.value.kind == YamlNode::Kind::Null) {
      return;  // Fast-LLM's default
    }
    if (leaf.key == "num_sequences" && !isSet("input_dataset")) {
      m_result.notes.emplace_back("num_sequences: no effect without input_dataset");
      return;
    }
    switch (row->treatment) {
      case FastLlmTreatment::Refused:
        refuse(leaf, target, row->reason);
        break;
      case FastLlmTreatment::Neutral:
        acceptNeutral(*row, leaf, target);
        break;
      case FastLlmTreatment::Loss:
        translateLossField(leaf, target);
        break;
      case FastLlmTreatment::Honoured:
        honour(*row, leaf, target);
        break;
    }
  }

  void translateLossField(const Leaf& leaf, const Target& target) {
    if (isStudy(target)) {
      m_losses.push_back(leaf);
    } else {
      refuse(leaf, target, kHoldsForStudy);
    }
  }

  static bool isStudy(const Target& target) { return target.label.empty(); }

  void addUnknown(const Leaf& leaf, const Target& target) {
    const std::string_view nearest = nearestFastLlmPath(leaf.key);
    const std::string hint = nearest.empty() ? "; docs/fast_llm.md lists the paths"
                                             : fmt::format("; did you mean '{}'?", nearest);
    addProblem(leaf.position,
               fmt::format(
                   "unknown path '{}'{} of a Fast-LLM evaluation{}", leaf.key, target.label, hint));
  }

  void acceptNeutral(const FastLlmPath& row, const Leaf& leaf, const Target& target) {
    const Leaf* tokens = m_base.find("sequence_length");
    const bool counted = leaf.key == "micro_batch_size" && tokens != nullptr &&
                         sameValue(leaf.value.text, tokens->value.text);
    const std::filesystem::path data = leaf.value.text;
    if (leaf.key == "data_path" && isThere(data / "fast_llm_config.yaml")) {
      refuse(leaf, target, "Ulpscope does not read Fast-LLM's memory-mapped data sets");
    } else if (row.values.empty() || counted || findValue(row, leaf) != nullptr) {
      note(row, leaf.key);
    } else {
      refuseValue(row, leaf, target);
    }
  }

  [[nodiscard]] bool isThere(const std::filesystem::path& path) const {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored) ||
           std::filesystem::exists(m_folder / path, ignored);
  }

  static const std::pair<std::string_view, std::string_view>* findValue(const FastLlmPath& row,
                                                                        const Leaf& leaf) {
    const auto found = std::ranges::find_if(
        row.values, [&](const auto& value) { return sameValue(leaf.value.text, value.first); });
    return found == row.values.end() ? nullptr : &*found;
  }

  void refuseValue(const FastLlmPath& row, const Leaf& leaf, const Target& target) {
    const std::string why = row.reason.empty() ? "" : fmt::format(" ({})", row.reason);
    addProblem(leaf.value.position,
               fmt::format("'{}'{} must be {}, not '{}'{}",
                           leaf.key,
                           target.label,
                           fmt::join(row.values | std::views::keys, " or "),
                           leaf.value.text,
                           why));
  }

  void honour(const FastLlmPath& row, const Leaf& leaf, const Target& target) {
    std::string_view text = leaf.value.text;
    if (!row.values.empty()) {
      const auto* value = findValue(row, leaf);
      if (value == nullptr) {
        refuseValue(row, leaf, target);
        return;
      }
      text = value->second == kFastLlmCompute ? target.compute : value->second;
    }
    switch (row.value) {
      case FastLlmValue::Architecture:
        emitArchitecture(row, leaf, text, target);
        break;
      case FastLlmValue::LessOne:
        emitLength(leaf, target);
        break;
      case FastLlmValue::Shared:
        if (isStudy(target)) {
          emitHonoured(row, leaf, text, target);
        } else {
          note(row, leaf.key);
        }
        break;
      case FastLlmValue::Same:
        emitHonoured(row, leaf, text, target);
        break;
    }
  }

  void emitLength(const Leaf& leaf, const Target& target) {
    const auto tokens = parseNumber<double>(leaf.value.text);
    if (!tokens || *tokens < 2 || *tokens > (1 << 24) ||
        *tokens != static_cast<double>(static_cast<std::int64_t>(*tokens))) {
      addProblem(leaf.value.position,
                 fmt::format("'{}' must be a whole number of at least 2 tokens, not '{}'",
                             leaf.key,
                             leaf.value.text));
      return;
    }
    const std::string length = std::to_string(static_cast<std::int64_t>(*tokens) - 1);
    emit(target, "input.sequence_length", scalarNode(length, leaf.value.position));
  }

  void emitArchitecture(const FastLlmPath& row,
                        const Leaf& leaf,
                        std::string_view text,
                        const Target& target) {
    if (!isStudy(target)) {
      refuse(leaf, target, kHoldsForStudy);
      return;
    }
    m_architecture.position = leaf.value.position;
    m_architecture.entries.push_back(
        {std::string(row.target), leaf.position, scalarNode(text, leaf.value.position)});
  }

  void emitHonoured(const FastLlmPath& row,
                    const Leaf& leaf,
                    std::string_view text,
                    const Target& target) {
    const Key* key = findKey(row.target);
    if (key->scope == KeyScope::Study && !isStudy(target)) {
      refuse(leaf, target, kHoldsForStudy);
      return;
    }
    YamlNode value = leaf.value;
    value.text = text;
    if (const auto checked = checkValue(*key, value); !checked) {
      addProblem(checked.error().position,
                 fmt::format("'{}'{}: {}", leaf.key, target.label, checked.error().message));
      return;
    }
    emit(target, row.target, std::move(value));
  }

  /// What the tool itself sets.
  void addDefaults(const Target& study) {
    if (!isSet("pretrained.path")) {
      addProblem(
          {},
          "'pretrained.path' is missing: Ulpscope takes the architecture from a checkpoint's "
          "config.json, with pretrained.model_weights: false from that alone");
    }
    if (!isSet("sequence_length")) {
      emit(study, "input.sequence_length", scalarNode(std::to_string(kDefaultTokens - 1)));
    }
    addSource("input_text_file", "text", study);
    addSource("input_dataset", "dataset", study);
    if (isSet("input_dataset")) {
      emit(study, "input.chat_template", scalarNode("true"));
      if (!isSet("num_sequences")) {
        emit(study, "input.sequences", scalarNode(std::to_string(kDefaultSequences)));
      }
    }
    const Leaf* weights = m_base.find("pretrained.model_weights");
    if (weights != nullptr && sameValue(weights->value.text, "false") &&
        !isSet("model.distributed.seed")) {
      emit(study, "model.seed", scalarNode(std::to_string(kDefaultModelSeed)));
    }
    if (!isSet(kReductionPath)) {
      emit(study, "matmul.reduced_precision_reduction", scalarNode("false"));
    }
  }

  void addSource(std::string_view path, std::string_view source, const Target& study) {
    const Leaf* leaf = m_base.find(path);
    if (leaf == nullptr || leaf->value.kind == YamlNode::Kind::Null) {
      return;
    }
    if (!isThere(leaf->value.text)) {
      refuse(*leaf, study, "names no local file; nothing is downloaded from the hub");
      return;
    }
    emit(study, "input.source", scalarNode(source, leaf->value.position));
  }

  [[nodiscard]] bool isSet(std::string_view path) const {
    const Leaf* leaf = m_base.find(path);
    return leaf != nullptr && leaf->value.kind != YamlNode::Kind::Null;
  }

  void translateVariants(const YamlNode::Entry& variants) {
    YamlNode translated = variants.value;
    for (YamlNode::Entry& variant : translated.entries) {
      if (variant.value.kind == YamlNode::Kind::Map) {
        variant.value = translateVariant(variant);
      }
    }
    m_result.study.entries.push_back({variants.key, variants.position, std::move(translated)});
  }

  YamlNode translateVariant(const YamlNode::Entry& variant) {
    YamlNode leaves = leavesOf(variant.value);
    const Leaf* computeLeaf = leaves.find(kComputePath);
    const auto compute = computeLeaf == nullptr ? std::optional(DType::Float32)
                                                : parseDType(computeLeaf->value.text);
    for (const Leaf& inherited : m_inherited) {
      if (leaves.find(inherited.key) == nullptr) {
        leaves.entries.push_back(inherited);
      }
    }
    YamlNode settings = mapNode();
    settings.position = variant.value.position;
    const Target target{.settings = &settings,
                        .compute = toString(compute.value_or(DType::Float32)),
                        .label = fmt::format(" in variant '{}'", variant.key)};
    for (const Leaf& leaf : leaves.entries) {
      translateLeaf(leaf, target);
    }
    const bool scaled = isSet(kScalePath) || leaves.find(kScalePath) != nullptr;
    if (compute == DType::Float16 && !scaled) {
      emit(target, "gradient.scale", scalarNode("auto", computeLeaf->value.position));
    }
    return settings;
  }

  void finish(const Target& study) {
    if (!m_architecture.entries.empty()) {
      emit(study, "model.architecture", m_architecture);
    }
    FastLlmTranslation losses = translateLosses(m_losses);
    std::ranges::move(losses.study.entries, std::back_inserter(study.settings->entries));
    std::ranges::move(losses.problems, std::back_inserter(m_result.problems));
    for (const auto& [reason, paths] : m_notes) {
      m_result.notes.push_back(fmt::format("{}: no effect; {}", fmt::join(paths, ", "), reason));
    }
  }

  const std::filesystem::path& m_folder;
  FastLlmTranslation m_result{.study = mapNode()};
  YamlNode m_base = mapNode();
  std::vector<Leaf> m_inherited;
  std::vector<Leaf> m_losses;
  YamlNode m_architecture = mapNode();
  std::map<std::string_view, std::vector<std::string>> m_notes;
};

bool isFastLlmPath(std::string_view path) {
  constexpr std::array<std::string_view, 5> kPrefixes{
      "pretrained.", "model.base_model.", "model.distributed.", "model.multi_stage.", "_torch_"};
  return path == "pretrained" || std::ranges::any_of(kPrefixes, [&](std::string_view prefix) {
           return path.starts_with(prefix);
         });
}

}  // namespace

bool isFastLlmStudy(const YamlNode& root) {
  return std::ranges::any_of(root.entries, [](const YamlNode::Entry& entry) {
    YamlNode leaves = mapNode();
    if (isVariants(entry)) {
      for (const YamlNode::Entry& variant : entry.value.entries) {
        std::ranges::move(leavesOf(variant.value).entries, std::back_inserter(leaves.entries));
      }
    } else {
      collectLeaves(entry, "", leaves);
    }
    return std::ranges::any_of(leaves.entries, isFastLlmPath, &Leaf::key);
  });
}

FastLlmTranslation translateFastLlm(const YamlNode& root, const std::filesystem::path& folder) {
  return Translator(folder).translate(root);
}

}  // namespace ulp::study
