#include "core/comparing/measure/token_logits.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/analysis/tokens/token_distance.h"
#include "core/base/text/parse_number.h"
#include "core/comparing/match/row_identity.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::Role;
using numerics::TensorView;

constexpr double kMsitKl = 0.0001;
constexpr double kMsitKlOfBFloat16 = 0.005;

bool isHead(const DumpUnit& unit, std::size_t entry, std::size_t row) {
  const DumpEntry& its = unit.entries[entry];
  const DumpRow& own = unit.rows[row];
  // SGLang multiplies with the head outside of its module.
  if (own.name.ends_with("next_token_logits")) {
    return true;
  }
  if (own.role != Role::Output) {
    return false;
  }
  if (its.kind != dumps::EntryKind::Api && isLogits(siteOf(unit, entry, row))) {
    return true;
  }
  return plainOperation(its.operation) == "lmhead" && isFirstOfRole(own.index);
}

/// An output of the head in the forward pass.
struct HeadOutput {
  std::size_t entry = 0;
  std::size_t row = 0;
};

bool isHeadOutput(const DumpUnit& unit, const HeadOutput& head) {
  return unit.entries[head.entry].pass == Pass::Forward && unit.rows[head.row].hasElements &&
         !dumps::isRead(unit.rows[head.row].role) && isHead(unit, head.entry, head.row);
}

/// Of several modules that hand on logits, as a head and what cuts the last position out of them,
/// the last one counts.
template <class Head>
void keepLastModule(std::vector<Head>& heads, const DumpUnit& unit) {
  if (!heads.empty()) {
    const std::string last = unit.entries[heads.back().entry].module;
    std::erase_if(heads, [&](const Head& head) { return unit.entries[head.entry].module != last; });
  }
}

/// One for each call, in their order.
std::vector<HeadOutput> headOutputs(const DumpUnit& unit) {
  std::vector<HeadOutput> heads;
  for (std::size_t entry = 0; entry < unit.entries.size(); ++entry) {
    const std::size_t row = rowWhere(unit.entries[entry], [&](std::size_t each) {
      return isHeadOutput(unit, {entry, each});
    });
    if (row != dumps::kNone) {
      heads.push_back({entry, row});
    }
  }
  keepLastModule(heads, unit);
  return heads;
}

/// Where the names correspond, what they pair; elsewhere call by call. Of sides that called their
/// heads another number of times the last: a network that is called again makes its logits last.
std::vector<LogitsPair> pairsOfHeads(const UnitComparison& units) {
  std::vector<LogitsPair> pairs;
  const UnitMatching& matching = units.matching;
  for (std::size_t row = 0; row < matching.rows.size(); ++row) {
    const RowPair& rows = matching.rows[row];
    const EntryPair& entries = matching.entries[rows.entry];
    if (isHeadOutput(*units.baseline, {entries.baseline, rows.baseline}) &&
        isHeadOutput(*units.candidate, {entries.candidate, rows.candidate})) {
      pairs.push_back({.entry = entries.baseline,
                       .baseline = rows.baseline,
                       .candidate = rows.candidate,
                       .row = row});
    }
  }
  if (!pairs.empty()) {
    std::ranges::stable_sort(pairs, {}, &LogitsPair::baseline);
    keepLastModule(pairs, *units.baseline);
    return pairs;
  }
  const std::vector<HeadOutput> left = headOutputs(*units.baseline);
  const std::vector<HeadOutput> right = headOutputs(*units.candidate);
  const std::size_t count = left.size() == right.size()       ? left.size()
                            : !left.empty() && !right.empty() ? 1
                                                              : 0;
  for (std::size_t i = count; i > 0; --i) {
    const HeadOutput& own = left[left.size() - i];
    pairs.push_back(
        {.entry = own.entry, .baseline = own.row, .candidate = right[right.size() - i].row});
  }
  return pairs;
}

/// "logits_dev.jsonl_1352_0": sample 1352, token 0; HumanEval-X: "logits_cpp_12_3", sample cpp/12.
std::optional<LogitsPair> namedToken(std::string_view name) {
  name.remove_prefix(std::min(name.rfind('/') + 1, name.size()));
  if (name.find("logits") == std::string_view::npos) {
    return std::nullopt;
  }
  const auto cutNumber = [&]() -> std::optional<std::int64_t> {
    const std::size_t mark = name.rfind('_');
    if (mark == std::string_view::npos) {
      return std::nullopt;
    }
    const auto number = parseNatural<std::int64_t>(name.substr(mark + 1));
    if (number) {
      name = name.substr(0, mark);
    }
    return number;
  };
  const auto token = cutNumber();
  const auto key = token ? cutNumber() : std::nullopt;
  if (!key) {
    return std::nullopt;
  }
  std::string sequence = std::to_string(*key);
  const std::string_view language = name.substr(std::min(name.rfind('_') + 1, name.size()));
  for (const std::string_view known : {"cpp", "go", "java", "js", "python", "rust"}) {
    sequence = language == known ? fmt::format("{}/{}", known, *key) : sequence;
  }
  return LogitsPair{.sequence = std::move(sequence), .token = token};
}

std::size_t lastDimension(const TensorView& tensor) {
  return tensor.shape.empty() ? 1 : static_cast<std::size_t>(tensor.shape.back());
}

class LogitsJudge {
 public:
  LogitsJudge(const UnitComparison& units,
              const TokenLimits& limits,
              int threads,
              const std::stop_token& stop)
      : m_units(units), m_limits(limits), m_threads(threads), m_stop(stop) {}

  [[nodiscard]] Result<TokenOutcomes> run() && {
    const std::vector<LogitsPair> pairs = findLogits(m_units);
    m_hasCalls = pairs.size() > 1 && pairs.front().sequence.empty();
    for (; m_at < pairs.size(); ++m_at) {
      const LogitsPair& pair = pairs[m_at];
      if (auto judged = judge(pair); !judged) {
        if (judged.error().code() == ErrorCode::Cancelled) {
          return tl::unexpected<Error>(std::move(judged.error()));
        }
        m_result.problems.push_back(fmt::format(
            "{}: {}", m_units.baseline->rows[pair.baseline].name, judged.error().message()));
      }
    }
    return std::move(m_result);
  }

 private:
  [[nodiscard]] Result<> judge(const LogitsPair& pair) {
    if (const auto known = m_units.logits.find(pair.row); known != m_units.logits.end()) {
      const LogitsDistance& logits = known->second;
      if (isFloatingPoint(logits.baseline) && isFloatingPoint(logits.candidate)) {
        take(pair, logits);
        return {};
      }
    }
    const auto left = ULP_TRY(m_units.baseline->look(pair.baseline));
    const auto right = ULP_TRY(m_units.candidate->look(pair.candidate));
    const std::size_t vocabulary = lastDimension(left.view);
    const bool isOfNumbers = isFloatingPoint(left.view.dtype) && isFloatingPoint(right.view.dtype);
    if (vocabulary == 0 || lastDimension(right.view) != vocabulary || !isOfNumbers) {
      return unlike(left.view, right.view);
    }
    const std::size_t ofLeft = left.view.count() / vocabulary;
    const std::size_t ofRight = right.view.count() / vocabulary;
    // Some tools keep the logits of the last position alone.
    const std::size_t positions = std::min(ofLeft, ofRight);
    if (ofLeft != ofRight && positions != 1) {
      return unlike(left.view, right.view);
    }
    auto tokens = ULP_TRY(tokenDistances(left,
                                         right,
                                         {.tokens = positions,
                                          .vocabulary = vocabulary,
                                          .firstOfA = (ofLeft - positions) * vocabulary,
                                          .firstOfB = (ofRight - positions) * vocabulary},
                                         m_threads,
                                         m_stop));
    for (const tensors::Tensor* tensor : {&left, &right}) {
      ULP_TRY(tensors::checkIntact(*tensor));
    }
    take(pair,
         {.baseline = left.view.dtype, .candidate = right.view.dtype, .tokens = std::move(tokens)});
    return {};
  }

  [[nodiscard]] static Result<> unlike(const TensorView& left, const TensorView& right) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("logits of {} [{}] and {} [{}]; both must be floating-point numbers, "
                            "[tokens, vocabulary]",
                            toString(left.dtype),
                            fmt::join(left.shape, ", "),
                            toString(right.dtype),
                            fmt::join(right.shape, ", ")));
  }

  void take(const LogitsPair& pair, const LogitsDistance& logits) {
    const std::size_t positions = logits.tokens.size();
    const auto number = pair.token ? pair.token : m_units.baseline->axes.token;
    const Site site = pair.row == dumps::kNone
                          ? siteOf(*m_units.baseline, pair.entry, pair.baseline)
                          : siteOfPair(m_units, pair.row);
    for (std::size_t position = 0; position < positions; ++position) {
      TokenOutcome token = outcomeOf(logits, logits.tokens[position]);
      token.sequence = pair.sequence;
      token.logits = m_at;
      token.call = m_hasCalls ? m_units.baseline->entries[pair.entry].name : "";
      token.rowName = m_units.baseline->rows[pair.baseline].name;
      token.site = site;
      token.token = number.value_or(static_cast<std::int64_t>(position));
      if (positions > 1) {
        token.position = position;
      }
      m_result.tokens.push_back(std::move(token));
    }
  }

  [[nodiscard]] TokenOutcome outcomeOf(const LogitsDistance& logits,
                                       const TokenDistance& distance) const {
    const bool isBFloat16 =
        logits.baseline == DType::BFloat16 || logits.candidate == DType::BFloat16;
    TokenOutcome token;
    token.msitKl = isBFloat16 ? kMsitKlOfBFloat16 : kMsitKl;
    token.isFinite = distance.isFinite;
    if (!token.isFinite) {
      token.kl = token.cosine = std::numeric_limits<double>::quiet_NaN();
      token.margin = token.allowedKl = token.kl;
      return token;
    }
    token.kl = distance.kl;
    token.cosine = distance.cosine;
    token.baselineChoice = distance.choiceA;
    token.candidateChoice = distance.choiceB;
    token.margin = distance.margin;
    token.spread = distance.spread;
    const double roundOff = std::max(roundOffOf(logits.baseline), roundOffOf(logits.candidate));
    const double factor = isCoarse(roundOff) ? m_limits.roundOffsCoarse : m_limits.roundOffs;
    const double allowed = factor * roundOff * token.spread;
    token.allowedKl = allowed * allowed / 2;
    return token;
  }

  const UnitComparison& m_units;
  const TokenLimits& m_limits;
  int m_threads;
  const std::stop_token& m_stop;
  std::size_t m_at = 0;     ///< which of the pairs is judged
  bool m_hasCalls = false;  ///< they are of several calls
  TokenOutcomes m_result;
};

}  // namespace

std::vector<LogitsPair> findLogits(const UnitComparison& units) {
  std::vector<LogitsPair> pairs = pairsOfHeads(units);
  if (!pairs.empty()) {
    return pairs;
  }
  for (std::size_t row = 0; row < units.matching.rows.size(); ++row) {
    const RowPair& rows = units.matching.rows[row];
    const DumpRow& left = units.baseline->rows[rows.baseline];
    const DumpRow& right = units.candidate->rows[rows.candidate];
    auto named = namedToken(left.name);
    if (named && left.role == Role::Value && left.hasElements && right.hasElements) {
      named->entry = units.matching.entries[rows.entry].baseline;
      named->baseline = rows.baseline;
      named->candidate = rows.candidate;
      named->row = row;
      pairs.push_back(std::move(*named));
    }
  }
  std::ranges::stable_sort(
      pairs, {}, [](const LogitsPair& pair) { return std::tie(pair.sequence, pair.token); });
  return pairs;
}

Result<TokenOutcomes> judgeTokens(const UnitComparison& units,
                                  const TokenLimits& limits,
                                  int threads,
                                  const std::stop_token& stop) {
  return LogitsJudge(units, limits, threads, stop).run();
}

}  // namespace ulp::analysis
