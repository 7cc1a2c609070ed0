#include "core/analysis/mapping/dump_rules.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/list_of.h"
#include "core/study/yaml/yaml_write.h"

namespace ulp::analysis {
namespace {

struct ShardPreset {
  std::string_view name;
  const char* yaml;
};

// Megatron-LM's tensor_parallel layers (Shoeybi et al., 2019, section 3): column-parallel layers
// hold rows of the weight and features of the output, row-parallel ones columns of the weight and
// features of the input; both sum up inside, so that everything else is the same on every rank.
constexpr const char* kMegatron = R"(
- {match: '(^|\.)(linear_qkv|qkv_proj|query_key_value|Wqkv|q_proj|k_proj|v_proj|linear_fc1|gate_up_proj|gate_proj|up_proj|dense_h_to_4h|output_layer|lm_head|embed_out)$', row: '^(output|output_gradient)', dim: -1}
- {match: '(^|\.)(linear_qkv|qkv_proj|query_key_value|Wqkv|q_proj|k_proj|v_proj|linear_fc1|gate_up_proj|gate_proj|up_proj|dense_h_to_4h|output_layer|lm_head|embed_out)(\.(weight|bias)\d*)?$', row: '^(parameter|parameter_gradient)\.(weight|bias)\d*$|^value|^(input|input_gradient)\.[12]$', dim: 0}
- {match: '(^|\.)(linear_proj|linear_fc2|o_proj|down_proj|dense_4h_to_h|(self_)?attention\.dense)$', row: '^(input|input_gradient)(\.0)?$', dim: -1}
- {match: '(^|\.)(linear_proj|linear_fc2|o_proj|down_proj|dense_4h_to_h|(self_)?attention\.dense)(\.weight\d*)?$', row: '^(parameter|parameter_gradient)\.weight\d*$|^value|^(input|input_gradient)\.1$', dim: 1}
- {match: '(^|\.)core_attention$', row: '^(input|input_gradient)\.[012]$', dim: -2}
- {match: '(^|\.)core_attention$', row: '^(output|output_gradient)', dim: -1}
- {match: '(^|\.)(act_fn|activation_func)$', dim: -1}
- {match: '(^|\.)(word_embeddings|embed_tokens)(\.weight)?$', row: '^(parameter|parameter_gradient)\.weight$|^value', dim: 0}
- {match: '[vV]ocab_?[pP]arallel_?[cC]ross_?[eE]ntropy', row: '^(input|input_gradient)(\.0|\.vocab_parallel_logits)?$', dim: -1}
)";

// What each rank holds of experts in one tensor: Megatron's GroupedMLP has the outputs of all its
// experts' first layers one behind the other (hidden, experts * ffn), others stack them along a
// dimension of their own, the first.
constexpr const char* kExpertShards = R"(
- {match: '(^|\.)experts(\.weight1)?$', row: '^(parameter|parameter_gradient)\.weight1$|^value', over: expert, dim: 1}
- {match: '(^|\.)experts(\.weight2)?$', row: '^(parameter|parameter_gradient)\.weight2$|^value', over: expert, dim: 0}
- {match: '(^|\.)experts(\.(gate_up_proj|down_proj|w13|w2)(_weight|_bias)?)?$', row: '^(parameter|parameter_gradient)\.(gate_up_proj|down_proj|w13|w2)(_weight|_bias)?$|^value', over: expert, dim: 0}
)";

// Gated layers hold a piece of the gate and one of the other factor on every rank.
constexpr const char* kGated = R"(
- {match: '(^|\.)(linear_fc1|gate_up_proj)$', row: '^(output|output_gradient)', dim: -1, parts: [1, 1]}
- {match: '(^|\.)(linear_fc1|gate_up_proj)(\.(weight|bias)\d*)?$', row: '^(parameter|parameter_gradient)\.(weight|bias)\d*$|^value|^(input|input_gradient)\.[12]$', dim: 0, parts: [1, 1]}
)";

// With sequence parallelism (Korthikanti et al., 2022) what lies between the parallel layers is
// divided along the sequence, the first dimension of [sequence, batch, features].
constexpr const char* kSequence = R"(
- {match: '(^|\.)(linear_qkv|linear_fc1|output_layer|lm_head|embed_out|q_proj|k_proj|v_proj|gate_proj|up_proj)$', row: '^(input|input_gradient)(\.0)?$', dim: 0}
- {match: '(^|\.)(linear_proj|linear_fc2|o_proj|down_proj)$', row: '^(output|output_gradient)(\.0)?$', dim: 0}
- {match: '(norm|ln_f)$', row: '^(input|output|input_gradient|output_gradient)', dim: 0}
- {match: '(norm|ln_f)$', row: '^parameter_gradient', as: sum}
- {match: '(layers\.\d+|mlp|attention|attn|decoder)$', row: '^(input|output|input_gradient|output_gradient)(\.0|\.hidden_states)?$', dim: 0}
)";

constexpr std::array<ShardPreset, 4> kShardPresets{{{"megatron", kMegatron},
                                                    {"megatron_gated", kGated},
                                                    {"megatron_sequence", kSequence},
                                                    {"experts", kExpertShards}}};

std::string quotedList(const std::vector<std::string>& texts) {
  return fmt::format("[{}]", fmt::join(listOf(texts, inSingleQuotes), ", "));
}

std::string pairsYaml(const char* key, const NamePairs& pairs, std::string_view indent = "") {
  std::string text = pairs.empty() ? std::string() : fmt::format("{}{}:\n", indent, key);
  for (const auto& [from, to] : pairs) {
    text += fmt::format("{}  {}: {}\n", indent, inSingleQuotes(from), inSingleQuotes(to));
  }
  return text;
}

std::string fusedYaml(const DumpRules& rules) {
  if (rules.fused.empty()) {
    return rules.splitsKnown ? "" : "fused: none\n";
  }
  std::string text = "fused:\n";
  for (const FusedRule& rule : rules.fused) {
    text += fmt::format("  - {{match: {}, parts: {}, layout: {}",
                        inSingleQuotes(rule.match),
                        quotedList(rule.parts),
                        kFusedLayouts.at(static_cast<std::size_t>(rule.layout)));
    text += rule.groups > 0 ? fmt::format(", groups: {}", rule.groups) : "";
    text += rule.dim ? fmt::format(", dim: {}", *rule.dim) : "";
    text += "}\n";
  }
  return text + (rules.splitsKnown ? "" : "  - none\n");
}

/// Expressions, and whether what tells it by itself is looked for beside them.
std::string expressionsYaml(std::string_view key,
                            const std::vector<std::string>& expressions,
                            bool isFound) {
  if (expressions.empty()) {
    return isFound ? "" : fmt::format("{}: none\n", key);
  }
  std::string text = fmt::format("{}:\n", key);
  for (const std::string& match : expressions) {
    text += fmt::format("  - {}\n", inSingleQuotes(match));
  }
  return text + (isFound ? "" : "  - none\n");
}

std::string vocabularyYaml(const std::optional<std::int64_t>& entries) {
  if (!entries) {
    return "";
  }
  return *entries == 0 ? "vocabulary: none\n" : fmt::format("vocabulary: {}\n", *entries);
}

std::string shardsYaml(const std::vector<ShardRule>& rules) {
  std::string text = rules.empty() ? "" : "shards:\n";
  for (const ShardRule& rule : rules) {
    text += fmt::format("  - {{as: {}", kShardKinds.at(static_cast<std::size_t>(rule.kind)));
    text += rule.match.empty() ? "" : fmt::format(", match: {}", inSingleQuotes(rule.match));
    text += rule.row.empty() ? "" : fmt::format(", row: {}", inSingleQuotes(rule.row));
    text += rule.kind == ShardKind::Concat ? fmt::format(", dim: {}", rule.dim) : "";
    text += rule.parts.empty() ? "" : fmt::format(", parts: [{}]", fmt::join(rule.parts, ", "));
    text += rule.axis == ShardAxis::Tensor
                ? ""
                : fmt::format(", over: {}", kShardAxes.at(static_cast<std::size_t>(rule.axis)));
    text += "}\n";
  }
  return text;
}

/// A number for each stage, or a list of one for each of its chunks.
std::string layersYaml(const RankLayout& layout) {
  if (layout.chunks == 1) {
    return fmt::format("layers: [{}]", fmt::join(layout.layers, ", "));
  }
  std::vector<std::string> stages;
  for (auto at = layout.layers.begin(); at != layout.layers.end(); at += layout.chunks) {
    stages.push_back(fmt::format("[{}]", fmt::join(at, at + layout.chunks, ", ")));
  }
  return fmt::format("layers: [{}]", fmt::join(stages, ", "));
}

std::string layoutYaml(const RankLayout& layout) {
  std::vector<std::string> keys;
  const auto add = [&](const char* name, const RankGroups& groups) {
    const auto lists = listOf(
        groups, [](const auto& group) { return fmt::format("[{}]", fmt::join(group, ", ")); });
    if (!lists.empty()) {
      keys.push_back(fmt::format("{}: [{}]", name, fmt::join(lists, ", ")));
    }
  };
  add("tensor", layout.tensor);
  add("pipeline", layout.pipeline);
  add("data", layout.data);
  add("expert", layout.expert);
  if (layout.experts > 0) {
    keys.push_back(fmt::format("experts: {}", layout.experts));
  }
  if (layout.chunks > 1) {
    keys.push_back(fmt::format("chunks: {}", layout.chunks));
  }
  if (!layout.layers.empty()) {
    keys.push_back(layersYaml(layout));
  }
  return fmt::format("{{{}}}", fmt::join(keys, ", "));
}

std::string ranksYaml(const DumpRules& rules) {
  if (!rules.baselineRanks && !rules.candidateRanks) {
    return "";
  }
  if (rules.baselineRanks == rules.candidateRanks) {
    return fmt::format("ranks: {}\n", layoutYaml(*rules.baselineRanks));
  }
  std::string text = "ranks:\n";
  if (rules.baselineRanks) {
    text += fmt::format("  baseline: {}\n", layoutYaml(*rules.baselineRanks));
  }
  if (rules.candidateRanks) {
    text += fmt::format("  candidate: {}\n", layoutYaml(*rules.candidateRanks));
  }
  return text;
}

}  // namespace

const char* shardPreset(std::string_view name) {
  const auto* const found = std::ranges::find(kShardPresets, name, &ShardPreset::name);
  return found == kShardPresets.end() ? nullptr : found->yaml;
}

std::string shardPresetNames() {
  return fmt::format("{}", fmt::join(listOf(kShardPresets, &ShardPreset::name), ", "));
}

std::string inSingleQuotes(std::string_view text) {
  return study::writeScalar(text, '\'');
}

std::string toYaml(const DumpRules& rules) {
  std::string text = fusedYaml(rules) +
                     expressionsYaml("transposed", rules.transposed, rules.findsTransposed) +
                     expressionsYaml("exchanged", rules.exchanged, rules.findsExchanged) +
                     vocabularyYaml(rules.vocabulary);
  text += rules.areShapesExact ? "shapes: exact\n" : "";
  text += rules.findsLossScale ? "" : "loss_scale: none\n";
  text += ranksYaml(rules) + shardsYaml(rules.shards);
  text += rules.isFuzzy ? "fuzzy: true\n" : "";
  text += pairsYaml("data", rules.rows) + pairsYaml("cells", rules.cells);
  text += rules.layers.empty() ? "" : "layers:\n";
  for (const ClassRenames& renames : rules.layers) {
    text += pairsYaml(inSingleQuotes(renames.type).c_str(), renames.children, "  ");
  }
  return text;
}

}  // namespace ulp::analysis
