#include "core/comparing/match/name_likeness.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/base/text/edit_distance.h"
#include "core/base/text/parse_number.h"

namespace ulp::analysis {
namespace {

constexpr double kLittle = 0.25;        ///< weight of a word that says little
constexpr double kLeastAlike = 0.6;     ///< words below it have nothing in common
constexpr double kAlmost = 0.9;         ///< of what words that are nearly the same have in common
constexpr double kAbbreviation = 0.75;  ///< what "attn" has of "attention"

using Spelling = std::pair<std::string_view, std::string_view>;

/// What families of models and tools call the same thing.
constexpr std::array<Spelling, 34> kSpellings{{{"attention", "attn"},
                                               {"ffn", "mlp"},
                                               {"feed", "mlp"},
                                               {"query", "q"},
                                               {"wq", "q"},
                                               {"queries", "q"},
                                               {"key", "k"},
                                               {"wk", "k"},
                                               {"keys", "k"},
                                               {"value", "v"},
                                               {"wv", "v"},
                                               {"values", "v"},
                                               {"wo", "o"},
                                               {"out", "o"},
                                               {"output", "o"},
                                               {"projection", "proj"},
                                               {"linear", "proj"},
                                               {"fc", "proj"},
                                               {"layer", "layers"},
                                               {"h", "layers"},
                                               {"block", "layers"},
                                               {"blocks", "layers"},
                                               {"blk", "layers"},
                                               {"layernorm", "norm"},
                                               {"rmsnorm", "norm"},
                                               {"ln", "norm"},
                                               {"embedding", "embed"},
                                               {"embeddings", "embed"},
                                               {"embd", "embed"},
                                               {"wte", "embed"},
                                               {"token", "tokens"},
                                               {"tok", "tokens"},
                                               {"word", "tokens"},
                                               {"params", "weight"}}};

/// The same of parts between dots whose words mislead.
constexpr std::array<Spelling, 15> kComponents{{{"input_layernorm", "attn_norm"},
                                                {"post_attention_layernorm", "mlp_norm"},
                                                {"ln_1", "attn_norm"},
                                                {"ln_2", "mlp_norm"},
                                                {"ln_f", "norm"},
                                                {"final_layernorm", "norm"},
                                                {"output_norm", "norm"},
                                                {"output_layer", "lm_head"},
                                                {"embed_out", "lm_head"},
                                                {"w1", "gate"},
                                                {"w2", "down"},
                                                {"w3", "up"},
                                                {"c_fc", "up"},
                                                {"dense_h_to_4h", "up"},
                                                {"dense_4h_to_h", "down"}}};

constexpr std::array<std::string_view, 15> kSaysLittle{"model",
                                                       "module",
                                                       "transformer",
                                                       "decoder",
                                                       "language",
                                                       "base",
                                                       "layers",
                                                       "proj",
                                                       "self",
                                                       "tokens",
                                                       "weight",
                                                       "forward",
                                                       "backward",
                                                       "rms",
                                                       "c"};

double weightOf(std::string_view word) {
  const bool saysLittle =
      std::find(kSaysLittle.begin(), kSaysLittle.end(), word) != kSaysLittle.end();
  return saysLittle ? kLittle : 1;
}

/// The one spelling of a word, or of a part between dots.
template <std::size_t kCount>
std::string_view spelled(const std::array<Spelling, kCount>& spellings, std::string_view text) {
  const auto* const found =
      std::find_if(spellings.begin(), spellings.end(), [&](const Spelling& spelling) {
        return spelling.first == text;
      });
  return found == spellings.end() ? text : found->second;
}

bool isUpper(char c) {
  return std::isupper(static_cast<unsigned char>(c)) != 0;
}
bool isLower(char c) {
  return std::islower(static_cast<unsigned char>(c)) != 0;
}
bool isWordLetter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// "qProj", "RMSNorm": a capital after a small letter, or before one at the end of capitals.
bool startsWord(std::string_view text, std::size_t i) {
  if (i == 0 || !isUpper(text[i])) {
    return false;
  }
  return isLower(text[i - 1]) ||
         (isUpper(text[i - 1]) && i + 1 < text.size() && isLower(text[i + 1]));
}

void addWords(std::string_view component, std::vector<std::string>& words) {
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) {
      words.emplace_back(spelled(kSpellings, word));
      word.clear();
    }
  };
  for (std::size_t i = 0; i < component.size(); ++i) {
    if (!isWordLetter(component[i]) || startsWord(component, i)) {
      flush();
    }
    if (isWordLetter(component[i])) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(component[i])));
    }
  }
  flush();
}

/// `shorter` begins like the other and leaves letters out.
bool isAbbreviation(std::string_view shorter, std::string_view longer) {
  if (shorter.size() < 2 || shorter.front() != longer.front()) {
    return false;
  }
  std::size_t found = 0;
  for (const char c : longer) {
    found += found < shorter.size() && shorter[found] == c ? 1 : 0;
  }
  return found == shorter.size();
}

double wordLikeness(std::string_view a, std::string_view b) {
  if (a == b) {
    return 1;
  }
  if (a.size() > b.size()) {
    std::swap(a, b);
  }
  const double same = 1 - static_cast<double>(editDistance(a, b)) / static_cast<double>(b.size());
  const double almost = same >= kLeastAlike && a.size() > 2 ? kAlmost * same : 0;
  return std::max(almost, isAbbreviation(a, b) ? kAbbreviation : 0);
}

double weightOf(const std::vector<std::string>& words) {
  double sum = 0;
  for (const std::string& word : words) {
    sum += weightOf(word);
  }
  return sum;
}

}  // namespace

NameWords wordsOf(std::string_view name) {
  NameWords result;
  while (!name.empty()) {
    const std::size_t end = name.find_first_of("./");
    const std::string_view component = name.substr(0, end);
    name.remove_prefix(end == std::string_view::npos ? name.size() : end + 1);
    if (const auto number = parseNatural<std::int64_t>(component)) {
      result.numbers.push_back(*number);
    } else {
      addWords(spelled(kComponents, component), result.words);
    }
  }
  return result;
}

double likeness(const NameWords& a, const NameWords& b) {
  const double all = weightOf(a.words) + weightOf(b.words);
  if (all == 0) {
    return a.words == b.words ? 1 : 0;
  }
  // The heaviest common subsequence.
  std::vector<double> row(b.words.size() + 1, 0);
  for (const std::string& word : a.words) {
    double diagonal = 0;
    for (std::size_t j = 0; j < b.words.size(); ++j) {
      const std::string& other = b.words[j];
      const double weight = (weightOf(word) + weightOf(other)) / 2;
      const double paired = diagonal + weight * wordLikeness(word, other);
      diagonal = row[j + 1];
      row[j + 1] = std::max({row[j + 1], row[j], paired});
    }
  }
  return 2 * row.back() / all;
}

}  // namespace ulp::analysis
