#include "core/study/schema/loss_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/ranges.h>
#include <optional>
#include <ranges>

#include "core/base/text/parse_number.h"

namespace ulp::study {
namespace {

using Kind = YamlNode::Kind;

/// A number of a term of the loss.
struct TermNumber {
  std::string_view name;
  double LossTermSetting::*member;
  bool isEpsilon;
};
constexpr std::array<TermNumber, 3> kTermNumbers{{
    {"weight", &LossTermSetting::weight, false},
    {"epsilon_low", &LossTermSetting::epsilonLow, true},
    {"epsilon_high", &LossTermSetting::epsilonHigh, true},
}};

template <class Number>
std::optional<Number> numberOf(const YamlNode& node) {
  const bool isPlain = node.kind == Kind::Scalar && !node.quoted;
  return isPlain ? parseNumber<Number>(node.text) : std::nullopt;
}

Checked<std::vector<std::int64_t>> readLengths(const Key& key, const YamlNode& list) {
  std::vector<std::int64_t> lengths;
  for (const YamlNode& item : list.items) {
    const auto length = numberOf<std::int64_t>(item);
    if (!length || *length < 1) {
      return problemOf(key,
                       item,
                       "'{}': a document has a whole number of tokens, at least 1, not '{}'",
                       item.text);
    }
    lengths.push_back(*length);
  }
  return lengths;
}

Checked<std::string> readTermType(const Key& key, const YamlNode& value) {
  const std::vector<std::string_view> types = lossTypes();
  if (std::ranges::find(types, value.text) == types.end()) {
    return problemOf(key,
                     value,
                     "'{}': the type must be one of {}, not '{}'",
                     fmt::join(types, ", "),
                     value.text);
  }
  return value.text;
}

Checked<double> readTermNumber(const Key& key, const TermNumber& field, const YamlNode& value) {
  const auto number = numberOf<double>(value);
  if (!number || !std::isfinite(*number) || (field.isEpsilon && *number < 0)) {
    return problemOf(key,
                     value,
                     "'{}': {} must be a number{}, not '{}'",
                     field.name,
                     field.isEpsilon ? " of at least 0" : "",
                     value.text);
  }
  return *number;
}

Checked<LossTermSetting> readTerm(const Key& key, const YamlNode& node, LossTermSetting term) {
  if (node.kind != Kind::Map || node.find("type") == nullptr) {
    return problemOf(key,
                     node,
                     "'{}': a term is a map that names its type, such as {{type: z_loss, weight: "
                     "0.001}}");
  }
  for (const auto& [name, position, value] : node.entries) {
    const auto* const field = std::ranges::find(kTermNumbers, name, &TermNumber::name);
    if (name == "type") {
      term.type = ULP_TRY(readTermType(key, value));
    } else if (field != kTermNumbers.end()) {
      term.*field->member = ULP_TRY(readTermNumber(key, *field, value));
    } else {
      return problemOf(key,
                       value,
                       "'{}': a term has no field '{}'; it has type, {}",
                       name,
                       fmt::join(kTermNumbers | std::views::transform(&TermNumber::name), ", "));
    }
  }
  return term;
}

}  // namespace

bool LossSettings::needsPolicy() const {
  const std::vector<std::string_view> policyLosses = policyLossTypes();
  return std::ranges::any_of(terms, [&](const LossTermSetting& term) {
    return std::ranges::find(policyLosses, term.type) != policyLosses.end();
  });
}

Checked<DocumentLengths> readDocuments(const Key& key, const YamlNode& node) {
  if (node.kind != Kind::List) {
    return problemOf(key,
                     node,
                     "'{}' must be a list of document lengths, [44, 57, 28], or one list for each "
                     "micro-batch");
  }
  if (node.items.empty()) {
    return DocumentLengths{};
  }
  if (node.items.front().kind != Kind::List) {
    auto lengths = ULP_TRY(readLengths(key, node));
    return DocumentLengths{std::move(lengths)};
  }
  DocumentLengths documents;
  for (const YamlNode& list : node.items) {
    if (list.kind != Kind::List || list.items.empty()) {
      return problemOf(
          key, list, "'{}': where one micro-batch has a list of lengths of its own, each has one");
    }
    auto lengths = ULP_TRY(readLengths(key, list));
    documents.push_back(std::move(lengths));
  }
  return documents;
}

Checked<TokenRanges> readRanges(const Key& key, const YamlNode& node) {
  if (node.kind != Kind::List) {
    return problemOf(key, node, "'{}' must be a list of ranges [begin, end) of tokens");
  }
  TokenRanges ranges;
  for (const YamlNode& item : node.items) {
    const bool isPair = item.kind == Kind::List && item.items.size() == 2;
    const auto begin = isPair ? numberOf<std::int64_t>(item.items[0]) : std::nullopt;
    const auto end = isPair ? numberOf<std::int64_t>(item.items[1]) : std::nullopt;
    if (!begin || !end || *begin < 0 || *end < *begin) {
      return problemOf(key,
                       item,
                       "'{}': a range is [begin, end), two whole numbers from 0, the second not "
                       "below the first");
    }
    ranges.emplace_back(*begin, *end);
  }
  return ranges;
}

Checked<std::vector<LossTermSetting>> readLossTerms(const Key& key,
                                                    const YamlNode& node,
                                                    const LossTermSetting& fallback) {
  if (node.kind != Kind::List) {
    return problemOf(
        key, node, "'{}' must be a list of terms such as {{type: z_loss, weight: 0.001}}");
  }
  std::vector<LossTermSetting> terms;
  for (const YamlNode& item : node.items) {
    auto term = ULP_TRY(readTerm(key, item, fallback));
    terms.push_back(std::move(term));
  }
  return terms;
}

}  // namespace ulp::study
