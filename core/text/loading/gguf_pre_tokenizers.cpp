#include <algorithm>
#include <array>

#include "core/base/list_of.h"
#include "core/text/loading/tokenizer_gguf.h"
#include "core/text/steps/pre_tokenizer.h"

namespace ulp::text {
namespace {

// The patterns are those of the models' tokenizer.json.
constexpr std::string_view kGpt2 = kByteLevelPattern;
constexpr std::string_view kDigit = R"(\p{N})";
constexpr std::string_view kLlama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3})"
    R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kQwen2 = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N})"
                                    R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kQwen35 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N})"
    R"(| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kTekken =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
    R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*)"
    R"(|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kGpt4o =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
    R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*)"
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
    R"(|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kDeepSeek3 =
    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+)"
    R"(| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

struct NamedPreTokenizer {
  std::string_view name;
  GgufPreTokenizer steps;
};

GgufPreTokenizer llama3() {
  return {.patterns = {kLlama3}, .ignoreMerges = true, .addsBegin = true};
}

/// Sorted by name.
const std::vector<NamedPreTokenizer>& table() {
  static const std::vector<NamedPreTokenizer> kTable{
      {"command-r", {.patterns = {kDigit, kGpt2}, .isNfc = true}},
      {"dbrx", {.patterns = {kLlama3}}},
      {"deepseek-r1-qwen", {.patterns = {kQwen2}}},
      {"deepseek-v3", {.patterns = {R"(\p{N}{1,3})", "[一-龥぀-ゟ゠-ヿ]+", kDeepSeek3}}},
      // What llama.cpp does where a file names nothing.
      {"default", {.patterns = {R"([\p{P}\$\+<=>\^~\|]+)", kGpt2, R"(\p{N}+)", "[0-9][0-9][0-9]"}}},
      {"falcon-h1", llama3()},
      {"falcon3", llama3()},
      {"gpt-2", {.patterns = {kGpt2}}},
      {"gpt-4o", {.patterns = {kGpt4o}}},
      {"lfm2", llama3()},
      {"llama-bpe", llama3()},
      {"llama-v3", llama3()},
      {"llama3", llama3()},
      {"llama4", {.patterns = {kGpt4o}}},
      {"midm-2.0", llama3()},
      {"mpt", {.patterns = {kGpt2}, .isNfc = true}},
      {"olmo", {.patterns = {kGpt2}, .isNfc = true}},
      {"phi-2", {.patterns = {kGpt2}}},
      {"pixtral", llama3()},
      {"qwen2", {.patterns = {kQwen2}, .isNfc = true}},
      {"qwen35", {.patterns = {kQwen35}, .isNfc = true}},
      {"refact", {.patterns = {kDigit, kGpt2}}},
      {"smaug-bpe", {.patterns = {kLlama3}}},
      {"smollm", {.patterns = {kDigit, kGpt2}}},
      {"starcoder", {.patterns = {kDigit, kGpt2}}},
      {"tekken", {.patterns = {kTekken}, .ignoreMerges = true, .addsBegin = true}}};
  return kTable;
}

}  // namespace

const GgufPreTokenizer* findGgufPreTokenizer(std::string_view name) {
  const auto found = std::ranges::find(table(), name, &NamedPreTokenizer::name);
  return found == table().end() ? nullptr : &found->steps;
}

std::vector<std::string_view> ggufPreTokenizerNames() {
  return listOf(table(), &NamedPreTokenizer::name);
}

}  // namespace ulp::text
