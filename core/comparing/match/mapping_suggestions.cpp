#include "core/comparing/match/mapping_suggestions.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <compare>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/text/ascii_lower.h"
#include "core/base/text/edit_distance.h"
#include "core/base/text/parse_number.h"
#include "core/base/undefined.h"
#include "core/comparing/match/row_identity.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;

constexpr double kLittle = 0.25;        ///< weight of a word that says little
constexpr double kLeastAlike = 0.6;     ///< words below it have nothing in common
constexpr double kAlmost = 0.9;         ///< of what words that are nearly the same have in common
constexpr double kAbbreviation = 0.75;  ///< what "attn" has of "attention"

/// Words in one spelling.
struct Spelling {
  std::string_view known;   ///< the one that is compared
  std::string_view others;  ///< a list
};

/// What families of models and tools call the same thing.
constexpr std::array<Spelling, 12> kSpellings{{{"attn", "attention"},
                                               {"mlp", "ffn feed"},
                                               {"q", "query wq queries"},
                                               {"k", "key wk keys"},
                                               {"v", "value wv values"},
                                               {"o", "wo out output"},
                                               {"proj", "projection linear fc"},
                                               {"layers", "layer h block blocks blk"},
                                               {"norm", "layernorm rmsnorm ln"},
                                               {"embed", "embedding embeddings embd wte"},
                                               {"tokens", "token tok word"},
                                               {"weight", "params"}}};

/// The same of parts between dots whose words mislead.
constexpr std::array<Spelling, 7> kComponents{{{"attn_norm", "input_layernorm ln_1"},
                                               {"mlp_norm", "post_attention_layernorm ln_2"},
                                               {"norm", "ln_f final_layernorm output_norm"},
                                               {"lm_head", "output_layer embed_out"},
                                               {"gate", "w1"},
                                               {"down", "w2 dense_4h_to_h"},
                                               {"up", "w3 c_fc dense_h_to_4h"}}};

constexpr std::string_view kSaysLittle =
    "model module transformer decoder language base layers proj self tokens weight "
    "forward backward rms c";

double weightOf(std::string_view word) {
  return isWordOf(word, kSaysLittle) ? kLittle : 1;
}

/// The one spelling of a word, or of a part between dots.
std::string_view spelled(std::span<const Spelling> spellings, std::string_view text) {
  const auto found = std::ranges::find_if(
      spellings, [&](const Spelling& spelling) { return isWordOf(text, spelling.others); });
  return found == spellings.end() ? text : found->known;
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
      word += asciiLower({&component[i], 1});
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

constexpr double kNameWeight = 2.0 / 3;  ///< of the score, the rest is that of the tensors
constexpr double kDTypeShare = 0.1;      ///< of what tensors have in common
/// What names with other numbers are worth: in the same layer, and elsewhere.
constexpr double kSameLayer = 0.85;
constexpr double kElsewhere = 0.7;
/// Less is no suggestion.
constexpr double kLeastScore = 0.5;
/// A suggestion this good among the same numbers is not looked for elsewhere.
constexpr double kGoodScore = 0.75;
/// Names that one is compared with at each distance.
constexpr std::size_t kMostCompared = 128;

/// Texts by number, so that what has been compared once is not compared again.
class Numbering {
 public:
  std::size_t numberOf(const std::string& text) {
    return m_numbers.emplace(text, m_numbers.size()).first->second;
  }

 private:
  std::unordered_map<std::string, std::size_t> m_numbers;
};

/// A tensor as far as two dumps of the same computation agree in it.
struct TensorKey {
  std::string place;  ///< pass, role and shape
  std::string dtype;

  friend auto operator<=>(const TensorKey&,
                          const TensorKey&) = default;  // NOLINT(modernize-use-nullptr)
};

/// What is compared of a name, in numbers where many names share it.
struct Description {
  std::size_t words = 0;    ///< in Vocabulary::words
  std::size_t tensors = 0;  ///< in Vocabulary::tensors
  std::string numbers;      ///< all of them
  std::string layer;        ///< the first one
  unsigned passes = 0;      ///< one bit a pass
  double place = 0;         ///< 0 … 1 in the order of execution
};

struct Vocabulary {
  Numbering wordNumbers;
  Numbering tensorNumbers;
  std::vector<NameWords> words;
  std::vector<std::vector<TensorKey>> tensors;  ///< each sorted
};

/// Of a pass as a bit.
unsigned bitOf(Pass pass) {
  return 1U << static_cast<unsigned>(pass);
}

std::vector<TensorKey> tensorsOf(const DumpUnit& unit, const OpenName& name) {
  std::vector<TensorKey> keys;
  for (const std::size_t index : name.entries) {
    const DumpEntry& entry = unit.entries[index];
    for (const std::size_t r : entry.rows()) {
      const DumpRow& row = unit.rows[r];
      if (!row.dtype.empty() || !row.shape.empty()) {
        keys.push_back(
            {fmt::format(
                 "{}|{}|{}", toString(entry.pass), toString(row.role), fmt::join(row.shape, ",")),
             elementTypeName(row)});
      }
    }
  }
  std::ranges::sort(keys);
  return keys;
}

/// Of a call of an API what encloses it and the operation: its number shifts when one is added.
std::string comparedName(const OpenName& name) {
  if (name.kind != dumps::EntryKind::Api) {
    return name.name;
  }
  return fmt::format("{}.{}", name.module, name.name.substr(0, name.name.rfind('.')));
}

Description descriptionOf(const DumpUnit& unit, const OpenName& name, Vocabulary& vocabulary) {
  Description result;
  NameWords words = wordsOf(comparedName(name));
  result.numbers = fmt::format("{}", fmt::join(words.numbers, "."));
  result.layer = words.numbers.empty() ? "" : fmt::format("{}", words.numbers.front());
  result.words = vocabulary.wordNumbers.numberOf(fmt::format("{}", fmt::join(words.words, ".")));
  if (result.words == vocabulary.words.size()) {
    vocabulary.words.push_back(std::move(words));
  }
  std::vector<TensorKey> tensors = tensorsOf(unit, name);
  std::string key;
  for (const TensorKey& tensor : tensors) {
    key += tensor.place + '|' + tensor.dtype + '\n';
  }
  result.tensors = vocabulary.tensorNumbers.numberOf(key);
  if (result.tensors == vocabulary.tensors.size()) {
    vocabulary.tensors.push_back(std::move(tensors));
  }
  for (const std::size_t entry : name.entries) {
    result.passes |= bitOf(unit.entries[entry].pass);
  }
  result.place = static_cast<double>(name.entries.front()) /
                 static_cast<double>(std::max<std::size_t>(1, unit.entries.size()));
  return result;
}

/// Tensors of the same pass, role and shape over all of both; NaN where a side has none.
double tensorLikeness(const std::vector<TensorKey>& a, const std::vector<TensorKey>& b) {
  if (a.empty() || b.empty()) {
    return kUndefined;
  }
  std::size_t places = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const auto order = a[i].place <=> b[j].place;
    places += std::is_eq(order) ? 1 : 0;
    i += std::is_lteq(order) ? 1 : 0;
    j += std::is_gteq(order) ? 1 : 0;
  }
  std::vector<TensorKey> same;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(same));
  const auto share = [&](std::size_t count) {
    return 2 * static_cast<double>(count) / static_cast<double>(a.size() + b.size());
  };
  return (1 - kDTypeShare) * share(places) + kDTypeShare * share(same.size());
}

/// Names of one side by what they have to have in common with another, in order of execution.
using NameGroups = std::unordered_map<std::string, std::vector<std::size_t>>;

class Suggester {
 public:
  Suggester(const DumpUnit& baseline,
            std::span<const OpenName> own,
            const DumpUnit& candidate,
            std::span<const OpenName> others,
            const std::stop_token& stop)
      : m_stop(stop),
        m_baseline(listOf(
            own,
            [&](const OpenName& name) { return descriptionOf(baseline, name, m_vocabulary); })),
        m_candidate(listOf(others, [&](const OpenName& name) {
          return descriptionOf(candidate, name, m_vocabulary);
        })) {}

  [[nodiscard]] Result<MappingSuggestions> suggest() && {
    MappingSuggestions result{.ofBaseline = bestOf(m_baseline, m_candidate),
                              .ofCandidate = bestOf(m_candidate, m_baseline)};
    if (m_stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "stopped");
    }
    const auto mark = [](std::vector<PartnerSuggestion>& suggestions,
                         const std::vector<PartnerSuggestion>& back) {
      for (std::size_t i = 0; i < suggestions.size(); ++i) {
        suggestions[i].isMutual =
            !suggestions[i].isEmpty() && back[suggestions[i].partner].partner == i;
      }
    };
    mark(result.ofBaseline, result.ofCandidate);
    mark(result.ofCandidate, result.ofBaseline);
    return result;
  }

 private:
  using Side = std::vector<Description>;

  struct Best {
    PartnerSuggestion suggestion;
    double away = 2;  ///< in the order of execution
  };

  [[nodiscard]] std::vector<PartnerSuggestion> bestOf(const Side& side, const Side& others) {
    const NameGroups byNumbers = grouped(others, &Description::numbers);
    const NameGroups byLayer = grouped(others, &Description::layer);
    std::vector<std::size_t> all(others.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<PartnerSuggestion> suggestions(side.size());
    for (std::size_t i = 0; i < side.size() && !m_stop.stop_requested(); ++i) {
      Best best;
      look(side[i], others, found(byNumbers, side[i].numbers), 1, best);
      if (best.suggestion.score < kGoodScore) {
        look(side[i], others, found(byLayer, side[i].layer), kSameLayer, best);
        look(side[i], others, &all, kElsewhere, best);
      }
      if (best.suggestion.score >= kLeastScore) {
        suggestions[i] = best.suggestion;
      }
    }
    return suggestions;
  }

  [[nodiscard]] static NameGroups grouped(const Side& side, std::string Description::*key) {
    NameGroups groups;
    for (std::size_t i = 0; i < side.size(); ++i) {
      groups[side[i].*key].push_back(i);
    }
    return groups;
  }
  [[nodiscard]] static const std::vector<std::size_t>* found(const NameGroups& groups,
                                                             const std::string& key) {
    const auto group = groups.find(key);
    return group == groups.end() ? nullptr : &group->second;
  }

  /// The names of a group that are next to the same place, at most kMostCompared.
  [[nodiscard]] static std::span<const std::size_t> nearest(const std::vector<std::size_t>& group,
                                                            const Side& others,
                                                            double place) {
    if (group.size() <= kMostCompared) {
      return group;
    }
    const auto middle = std::ranges::lower_bound(
        group, place, {}, [&](std::size_t index) { return others[index].place; });
    const auto at = static_cast<std::size_t>(middle - group.begin());
    const std::size_t first =
        std::min(at - std::min(at, kMostCompared / 2), group.size() - kMostCompared);
    return std::span(group).subspan(first, kMostCompared);
  }

  void look(const Description& name,
            const Side& others,
            const std::vector<std::size_t>* group,
            double worth,
            Best& best) {
    if (group == nullptr) {
      return;
    }
    for (const std::size_t index : nearest(*group, others, name.place)) {
      const Description& other = others[index];
      if ((name.passes & other.passes) == 0) {
        continue;
      }
      PartnerSuggestion suggestion{.partner = index,
                                   .names = worth * namesOf(name.words, other.words),
                                   .tensors = tensorsOf(name.tensors, other.tensors)};
      suggestion.score =
          std::isnan(suggestion.tensors)
              ? suggestion.names
              : kNameWeight * suggestion.names + (1 - kNameWeight) * suggestion.tensors;
      const double away = std::abs(name.place - other.place);
      const double more = suggestion.score - best.suggestion.score;
      if (more > 0 || (more == 0 && away < best.away)) {
        best = {suggestion, away};
      }
    }
  }

  [[nodiscard]] double namesOf(std::size_t a, std::size_t b) {
    const auto [place, isNew] = m_names.emplace(keyOf(a, b), 0);
    if (isNew) {
      place->second = likeness(m_vocabulary.words[a], m_vocabulary.words[b]);
    }
    return place->second;
  }
  [[nodiscard]] double tensorsOf(std::size_t a, std::size_t b) {
    const auto [place, isNew] = m_tensors.emplace(keyOf(a, b), 0);
    if (isNew) {
      place->second = tensorLikeness(m_vocabulary.tensors[a], m_vocabulary.tensors[b]);
    }
    return place->second;
  }
  /// The same in both directions.
  [[nodiscard]] static std::uint64_t keyOf(std::size_t a, std::size_t b) {
    constexpr unsigned kHalf = 32;
    return (std::uint64_t{std::min(a, b)} << kHalf) | std::uint64_t{std::max(a, b)};
  }

  const std::stop_token& m_stop;
  Vocabulary m_vocabulary;
  Side m_baseline;
  Side m_candidate;
  std::unordered_map<std::uint64_t, double> m_names;  ///< known likenesses
  std::unordered_map<std::uint64_t, double> m_tensors;
};

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
  const auto weights = listOf(b.words, [](const std::string& word) { return weightOf(word); });
  std::vector<double> row(b.words.size() + 1, 0);
  for (const std::string& word : a.words) {
    const double own = weightOf(word);
    double diagonal = 0;
    for (std::size_t j = 0; j < b.words.size(); ++j) {
      const double weight = (own + weights[j]) / 2;
      const double paired = diagonal + weight * wordLikeness(word, b.words[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::max({row[j + 1], row[j], paired});
    }
  }
  return 2 * row.back() / all;
}

Result<MappingSuggestions> suggestPartners(const DumpUnit& baseline,
                                           std::span<const OpenName> own,
                                           const DumpUnit& candidate,
                                           std::span<const OpenName> others,
                                           const std::stop_token& stop) {
  return Suggester(baseline, own, candidate, others, stop).suggest();
}

}  // namespace ulp::analysis
